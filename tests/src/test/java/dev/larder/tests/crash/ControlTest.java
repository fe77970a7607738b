package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.IntegrityMode;
import dev.larder.tests.crash.Squad.Member;
import dev.larder.tests.crash.Squad.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protocols that must fail under the same checks as the real one: a check that passes them would prove nothing. */
final class ControlTest {

    private static final Duration LONG = Duration.ofSeconds(60);

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

    /** Files are used again as they are: what stands in them looks like records. */
    @Test
    void aFileThatIsNotZeroedIsFoundPoisoned() {
        try (Squad squad = new Squad(directory, "system+poison-unzeroed", IntegrityMode.NONE)) {
            squad.start(Role.NAMED, 0, "none");
            Member tailer = squad.start(Role.TAILER, 0, "none");
            squad.start(Role.WRITER, 0, "none");
            await().atMost(LONG)
                    .until(() -> squad.history().faults().stream()
                            .anyMatch(fault -> fault.contains("poisoned bytes of a former life")));
            assertThat(tailer.child().seen()).exists();
        }
    }

    /** A file is taken for unused while a tailer stands in it, with a message in its hands. */
    @Test
    void aPinThatHoldsNothingIsFoundTorn() {
        try (Squad squad = new Squad(directory, "system+poison-too-early", IntegrityMode.NONE)) {
            squad.start(Role.TAILER, 0, "none");
            squad.start(Role.WRITER, 0, "none");
            Member reader = squad.start(Role.NAMED, 0, "stop:handle.begun:10");
            reader.process().expect("AT handle.begun", 60);
            await().atMost(LONG).until(() -> squad.poisoned() > 10);
            reader.process().say("go");
            await().atMost(LONG)
                    .until(() -> squad.history().faults().stream().anyMatch(fault -> fault.contains("torn message")));
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
