package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.ProcessPriority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoadGeneratorTest {

    private static final int NICE = 16; // the 19th field; the 3rd is the first after the name

    @TempDir
    Path logs;

    @Test
    void hasThePriorityThatIsPossible() throws IOException {
        ProcessPriority possible = ProcessPriority.RAISED.possible();
        try (ChildProcess process = LoadGenerator.start(possible, logs, 64L << 20, GeneratorLoop.class)) {
            assertThat(niceness(process.pid())
                            - niceness(ProcessHandle.current().pid()))
                    .isEqualTo(possible == ProcessPriority.RAISED ? -10 : 0);
        }
    }

    private static int niceness(long pid) throws IOException {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        assumeTrue(Files.exists(stat), "the system does not tell the priority of a process");
        String line = Files.readString(stat);
        return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)[NICE]);
    }
}
