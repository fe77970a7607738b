package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.lab.process.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoadGeneratorTest {

    private static final int NICE = 16; // the 19th field; the 3rd is the first behind the name

    @TempDir
    Path logs;

    /** Whether the right to it is there or not: it takes what it can get, and reports what the system says. */
    @Test
    void saysWhichPriorityItGot() throws IOException {
        int best = LoadGenerator.bestNiceness();
        assertThat(best).isEqualTo(possibleNiceness());
        try (ChildProcess process = LoadGenerator.start(best, logs, 64L << 20, GeneratorLoop.class)) {
            assertThat(niceness(process.pid())
                            - niceness(ProcessHandle.current().pid()))
                    .isEqualTo(best);
        }
    }

    private static int possibleNiceness() throws IOException {
        try (BufferedReader said =
                new ProcessBuilder("nice", "-n", "-10", "nice").start().inputReader()) {
            return "-10".equals(said.readLine()) ? -10 : 0;
        }
    }

    private static int niceness(long pid) throws IOException {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        assumeTrue(Files.exists(stat), "the system does not tell the priority of a process");
        String line = Files.readString(stat);
        return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)[NICE]);
    }
}
