package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.IntegrityMode;
import dev.larder.tests.crash.Squad.Member;
import dev.larder.tests.crash.Squad.Role;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protocols that must fail under the same checks as the real one: a check that passes them would prove nothing. */
final class ControlTest {

    @TempDir
    Path directory;

    @Test
    void aProtocolWithoutRecoveryIsFoundStuck() {
        try (Squad squad = new Squad(directory, "system", IntegrityMode.RECORD)) {
            Member tailer = squad.start(Role.TAILER, 0, "no-recovery");
            Member other = squad.start(Role.TAILER, 1, "no-recovery");
            squad.start(Role.WRITER, 0, "no-recovery");
            Member victim = squad.start(Role.WRITER, 1, "halt:fill.half:20");
            victim.process().expect("AT fill.half", 30);
            squad.remove(victim);
            assertThatThrownBy(() -> squad.awaitProgress(List.of(tailer, other)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("stuck: TAILER");
        }
    }

    @Test
    void anAcknowledgementBeforeTheAppendIsFoundLost() {
        try (Squad squad = new Squad(directory, "system", IntegrityMode.RECORD)) {
            squad.start(Role.TAILER, 0, "none");
            Member victim = squad.start(Role.WRITER, 0, "early-acknowledge:append.claimed:20");
            victim.process().expect("AT append.claimed", 30);
            squad.remove(victim);
            assertThat(squad.finish().faults()).anyMatch(fault -> fault.contains("acknowledged messages lost"));
        }
    }
}
