package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.IntegrityMode;
import dev.larder.tests.crash.Squad.Member;
import dev.larder.tests.crash.Squad.Role;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protocols that must fail under the checks of the real one: a check that passes them would prove nothing. */
@Tag(Effort.LONG)
final class ControlTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** Waits for progress, some seconds in all: a tailer of a sound protocol survives them, one of a faulty protocol does not. */
    private static final int READ_ON = 200;

    private static final long READ_ON_NANOS = 20_000_000;

    @TempDir
    Path directory;

    @Test
    void aProtocolWithoutRecoveryIsFoundStuck() {
        try (Squad squad = new Squad(directory, "system", IntegrityMode.RECORD)) {
            Member tailer = squad.start(Role.TAILER, 0, "no-recovery");
            Member other = squad.start(Role.TAILER, 1, "no-recovery");
            squad.start(Role.WRITER, 0, "no-recovery");
            Member victim = squad.start(Role.WRITER, 1, "halt:fill.half:20");
            victim.process().expect("AT fill.half", LONG.toSeconds());
            squad.remove(victim);
            assertThatThrownBy(() -> readOn(squad, tailer, other))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("stuck: TAILER");
        }
    }

    /** Waits for progress again and again: a tailer may have much to read before it comes to the claim of the dead. */
    private static void readOn(Squad squad, Member... tailers) {
        for (int i = 0; i < READ_ON; i++) {
            squad.awaitProgress(List.of(tailers));
            LockSupport.parkNanos(READ_ON_NANOS);
        }
    }

    /** The log uses files again as they are: their old bytes look like records. */
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

    /**
     * A file is taken for unused while a tailer stands in it and handles a message. The writer waits until the tailer stands in
     * the first segment: a later tailer could meet the poison before it has a message.
     */
    @Test
    void aPinThatHoldsNothingIsFoundTorn() {
        try (Squad squad = new Squad(directory, "system+poison-too-early", IntegrityMode.NONE)) {
            squad.setPaced(false); // no other process reads
            Member writer = squad.start(Role.WRITER, 0, "stop:fill.half:20");
            writer.process().expect("AT fill.half", LONG.toSeconds());
            Member reader = squad.start(Role.NAMED, 0, "stop:handle.begun:10");
            reader.process().expect("AT handle.begun", LONG.toSeconds());
            assertThat(squad.poisoned()).isZero();
            writer.process().say("go");
            await().atMost(LONG).until(() -> squad.poisoned() > 0);
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
            victim.process().expect("AT append.claimed", LONG.toSeconds());
            squad.remove(victim);
            assertThat(squad.finish().faults()).anyMatch(fault -> fault.contains("acknowledged messages lost"));
        }
    }
}
