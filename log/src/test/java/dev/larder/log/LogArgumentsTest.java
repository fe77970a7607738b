package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.ClosedException;
import dev.larder.memory.LarderException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Values that no call can mean are refused at once, by name, and change nothing. */
@Timeout(60)
final class LogArgumentsTest {

    private static final RecordHandler NOBODY = (segment, offset, length) -> {};

    @TempDir
    Path directory;

    private Log log;

    @BeforeEach
    void open() {
        log = Log.open(
                directory,
                TestLogs.options()
                        .withLayout(layout ->
                                layout.withLargestSegmentBytes(64 << 10).withFirstSegmentBytes(64 << 10)));
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void aDropBehindTheEndDropsNothing() {
        try (LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 3, 1000);
        }
        long first = log.firstPosition();
        long end = log.endPosition();
        for (long position : new long[] {-1, Long.MIN_VALUE, end + 1, Position.of(1000, 0), Long.MAX_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.dropBefore(position))
                    .withMessageContainingAll(directory.toString(), "the log ends at " + Position.toString(end));
        }
        assertThat(log.firstPosition()).isEqualTo(first);
        assertThat(log.dropBefore(0)).isZero();
        assertThat(log.dropBefore(end)).isEqualTo(3);
    }

    @Test
    void preparesAtMostWhatOptionsPrepare() {
        for (long bytes : new long[] {-1, (64L << 30) + 1, Long.MAX_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.prepare(bytes))
                    .withMessageContainingAll(Long.toString(bytes), Long.toString(64L << 30));
        }
        log.prepare(0);
    }

    @Test
    void aNegativeLimitIsRefusedAndZeroPassesNothing() {
        log.appender().append(TestLogs.bytes("one"));
        try (LogReader reader = log.reader()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> reader.drain(NOBODY, -1))
                    .withMessageContainingAll(directory.toString(), "-1");
            assertThatIllegalArgumentException().isThrownBy(() -> reader.drainBackward(NOBODY, -1));
            assertThat(reader.drain(NOBODY, 0)).isZero();
            assertThat(reader.drain(NOBODY, 1)).isOne();
        }
    }

    @Test
    void aSalvageNeedsALog() {
        log.appender().append(TestLogs.bytes("one"));
        Path none = directory.resolve("mistyped");
        assertThatThrownBy(() -> LogSalvage.run(none, TestLogs.storage(), (position, segment, offset, length) -> {}))
                .isInstanceOf(LarderException.class)
                .hasMessage(none + ": there is no log here");
        SalvageReport report = LogSalvage.run(directory, TestLogs.storage(), (position, segment, offset, length) -> {});
        assertThat(report.records()).isOne();
        assertThat(report.isSound()).isTrue();
    }

    @Test
    void aNegativeTimeoutIsZero() throws InterruptedException {
        try (LogReader reader = log.reader()) {
            assertThat(reader.poll(NOBODY, Duration.ofSeconds(-1))).isFalse();
            assertThat(reader.poll(NOBODY, Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
        }
    }

    @Test
    void aReaderThatItsOwnHandlerCallsSaysSo() {
        log.appender().append(TestLogs.bytes("one"));
        try (LogReader reader = log.reader()) {
            assertThatThrownBy(() -> reader.poll((segment, offset, length) -> reader.poll(NOBODY)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(directory.toString(), "cannot be called from inside its own handler");
            assertThat(reader.poll(NOBODY)).isTrue();
        }
    }

    @Test
    void aClosedBatchRefusesEachCall() {
        try (LogAppender appender = log.appender()) {
            RecordBatch batch = appender.batch();
            batch.add(TestLogs.bytes("one"));
            batch.close();
            batch.close();
            byte[] bytes = TestLogs.bytes("two");
            for (ThrowingCallable call : new ThrowingCallable[] {
                () -> batch.add(bytes),
                () -> batch.add(bytes, 0, 1),
                () -> batch.add(MemorySegment.ofArray(bytes), 0, 1),
                () -> batch.add(1, (segment, offset, length) -> {}),
                () -> batch.fits(1),
                batch::flush,
                batch::clear
            }) {
                assertThatThrownBy(call)
                        .isInstanceOf(ClosedException.class)
                        .hasMessage("batch of " + log.directory() + " is closed");
            }
            assertThat(TestLogs.texts(log)).containsExactly("one");
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what the annotations forbid
    void optionsRefuseNullByName() {
        names("sync", () -> LogDurability.defaults().withSync(null));
        names("integrity", () -> new LogDurability(null, SyncPolicy.none(), true));
        names("files", () -> LogAccess.defaults().withFiles(null));
        names("allocation", () -> new LogLayout(0, 0, null, 0, false, false, 1));
        names("bytes", () -> new LogRetention(null, Optional.empty(), Optional.empty()));
        names("age", () -> new LogRetention(OptionalLong.empty(), null, Optional.empty()));
        names("absence", () -> new LogRetention(OptionalLong.empty(), Optional.empty(), null));
        names("layout", () -> LogOptions.defaults().withLayout(layout -> null));
        names("durability", () -> LogOptions.defaults().withDurability(durability -> null));
        names("retention", () -> LogOptions.defaults().withRetention(retention -> null));
        names("access", () -> LogOptions.defaults().withAccess(access -> null));
        names("interval", () -> SyncPolicy.every(null));
        names("kind", () -> new WaitStrategy(null, Duration.ZERO));
        names("interval", () -> WaitStrategy.parking(null));
    }

    private static void names(String what, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessage(what);
    }
}
