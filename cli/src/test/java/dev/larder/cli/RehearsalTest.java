package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that the rehearsal names, in their present form. */
class RehearsalTest {

    @Test
    void runsEveryCommand(@TempDir Path directory) {
        assertThat(Rehearsal.run(directory)).isZero();
        assertThat(directory.resolve("M")).isDirectory();
        assertThat(directory.resolve("Q")).isDirectory();
    }

    @Test
    void tellsOfACommandThatFails(@TempDir Path directory) {
        assertThat(Rehearsal.run(directory)).isZero();
        assertThat(Rehearsal.run(directory)).isEqualTo(ExitCode.ERROR); // the map is there already
    }
}
