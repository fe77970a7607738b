package dev.larder.lab.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {

    @TempDir
    Path logs;

    /** The command behaves like an address that swallows all that is sent to it. */
    @Test
    void givesUpAHostThatSaysNothing() {
        assertThatThrownBy(() -> ChildProcess.startThere("sleep", "3600", logs, Duration.ofSeconds(1)))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("it has sent nothing for 1 s");
    }
}
