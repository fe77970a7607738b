package dev.larder.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With or without the right to a priority, a process gets the best possible one, and the system reports the same. */
@EnabledOnOs(OS.LINUX)
final class ProcessPriorityTest {

    /** Fields of {@code /proc/self/stat} that follow the name. */
    private static final int NICENESS = 16;

    private static final int POLICY = 38;
    private static final String ROUND_ROBIN = "2";

    private static List<String> stat(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).start();
        try (BufferedReader said = process.inputReader()) {
            String line = said.readLine();
            return List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
        }
    }

    private static List<String> own() throws IOException {
        String line = Files.readString(Path.of("/proc/self/stat"));
        return List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
    }

    @ParameterizedTest
    @EnumSource
    void isWhatTheSystemSays(ProcessPriority wanted) throws IOException {
        ProcessPriority got = wanted.possible();
        assertThat(got).isLessThanOrEqualTo(wanted);
        List<String> stat = stat(got.command(List.of("cat", "/proc/self/stat")));
        int raised = Integer.parseInt(stat.get(NICENESS)) - Integer.parseInt(own().get(NICENESS));
        assertThat(raised).isEqualTo(got == ProcessPriority.RAISED ? -10 : 0);
        assertThat(stat.get(POLICY)).isEqualTo(got == ProcessPriority.REAL_TIME ? ROUND_ROBIN : own().get(POLICY));
    }

    @Test
    void isStatedAsTheCommandThatGivesIt() {
        assertThat(ProcessPriority.RAISED.text()).isEqualTo("nice -n -10");
        assertThat(ProcessPriority.REAL_TIME.text()).isEqualTo("chrt --rr 1");
        assertThat(ProcessPriority.USUAL.text()).isNull();
        assertThat(ProcessPriority.USUAL.command(List.of("true"))).containsExactly("true");
    }
}
