package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.RecordWord;
import dev.larder.tests.support.OtherThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A claim that is not filled becomes padding at once: a live owner's claim would hold up every reader. */
final class AbandonedClaimTest {

    @TempDir
    Path directory;

    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aWriterThatThrowsLeavesPaddingThatReadersSkip() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("before"));
            long at = log.endPosition();
            assertThatThrownBy(() -> appender.append(100, (segment, offset, length) -> {
                        segment.asSlice(offset, length).fill((byte) -1);
                        throw new Broken();
                    }))
                    .isInstanceOf(Broken.class);
            long after = appender.append(TestLogs.bytes("after"));
            assertThat(after).isEqualTo(at + RecordWord.sizeBytes(100));
            assertThat(TestLogs.texts(log)).containsExactly("before", "after");
            VerifyReport report = log.verify();
            assertThat(report.problems()).isEmpty();
            assertThat(report.records()).isEqualTo(2);
            assertThat(report.abandoned()).isEqualTo(1);
        }
    }

    @Test
    void anErrorIsNoLessThanAnException() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            assertThatThrownBy(() -> appender.append(8, (segment, offset, length) -> {
                        throw new AssertionError("broken");
                    }))
                    .isInstanceOf(AssertionError.class);
            appender.append(TestLogs.bytes("after"));
            assertThat(TestLogs.texts(log)).containsExactly("after");
        }
    }

    @Test
    void memoryOfAnotherThreadLeavesNoClaimBehind() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                Arena arena = Arena.ofConfined()) {
            MemorySegment ours = arena.allocate(64);
            OtherThread.run(() -> assertThatThrownBy(() -> appender.append(ours, 0, 64))
                            .isInstanceOf(WrongThreadException.class))
                    .join();
            assertNothingClaimed(log, appender);
        }
    }

    @Test
    void memoryOfAClosedArenaLeavesNoClaimBehind() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            Arena arena = Arena.ofShared();
            MemorySegment gone = arena.allocate(64);
            arena.close();
            assertThatIllegalStateException().isThrownBy(() -> appender.append(gone, 0, 64));
            assertNothingClaimed(log, appender);
        }
    }

    /** Reading and syncing would both wait for a claim of this live process. */
    private static void assertNothingClaimed(Log log, LogAppender appender) {
        long position = appender.append(TestLogs.bytes("after"));
        assertThat(TestLogs.texts(log)).containsExactly("after");
        assertThat(log.sync()).isGreaterThan(position);
        assertThat(log.verify().abandoned()).isEqualTo(1);
    }

    @Test
    void aWriterMayNotAppendWithItsOwnAppender() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            assertThatIllegalStateException()
                    .isThrownBy(() ->
                            appender.append(8, (segment, offset, length) -> appender.append(TestLogs.bytes("within"))))
                    .withMessageContaining("inside its own handler");
            assertThatIllegalStateException()
                    .isThrownBy(() -> appender.append(8, (segment, offset, length) -> close(appender)));
            appender.append(TestLogs.bytes("after"));
            assertThat(TestLogs.texts(log)).containsExactly("after");
        }
    }

    private static void close(LogAppender appender) {
        appender.close();
    }

    @Test
    void aWriterMayAppendWithAnotherAppender() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogAppender second = log.appender()) {
            long outer = appender.append(5, (segment, offset, length) -> {
                second.append(TestLogs.bytes("inner"));
                MemorySegment.copy(MemorySegment.ofArray(TestLogs.bytes("outer")), 0, segment, offset, length);
            });
            assertThat(TestLogs.texts(log)).containsExactly("outer", "inner");
            assertThat(outer).isLessThan(log.endPosition());
        }
    }

    /** Readers keep the order: a record behind a claim that is still being filled is not readable yet. */
    @Test
    void readersWaitBehindAClaimThatIsBeingFilled() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogAppender second = log.appender()) {
            appender.append(5, (segment, offset, length) -> {
                second.append(TestLogs.bytes("inner"));
                assertThat(TestLogs.texts(log)).isEmpty();
            });
            assertThat(TestLogs.texts(log)).hasSize(2);
        }
    }

    /** Another thread that had just lost the place still had it recorded as its own, so that no thread gave it up. */
    @Test
    void threadsThatLoseAPlaceToItsOwnerDoNotKeepIt() {
        int threads = 3;
        int rounds = 40_000;
        try (Log log = TestLogs.open(directory)) {
            List<CompletableFuture<Void>> started = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                started.add(OtherThread.run(() -> appendAndGiveUp(log, rounds)));
            }
            started.forEach(CompletableFuture::join);
            VerifyReport report = log.verify();
            assertThat(report.records()).isEqualTo((long) threads * rounds);
            assertThat(report.abandoned()).isEqualTo((long) threads * rounds);
            assertThat(report.problems()).isEmpty();
            assertThat(log.sync()).isEqualTo(log.endPosition());
        }
    }

    private static void appendAndGiveUp(Log log, int rounds) {
        byte[] payload = new byte[8];
        Broken broken = new Broken();
        try (LogAppender appender = log.appender()) {
            for (int i = 0; i < rounds; i++) {
                appender.append(payload);
                try {
                    appender.append(8, (segment, offset, length) -> {
                        throw broken;
                    });
                } catch (Broken e) {
                    assertThat(e).isSameAs(broken);
                }
            }
        }
    }
}
