package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.context.LogSession;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.layer.OpenClaim;
import dev.larder.log.open.Opening;
import dev.larder.log.random.LogRecords;
import dev.larder.log.retain.Holds;
import dev.larder.log.write.ClaimMark;
import dev.larder.log.write.Writer;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log after a failed flush: nothing more is appended, and closing reports the failure. */
@Timeout(300)
final class LogFailureTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    private final FaultyStorage storage = new FaultyStorage(TestLogs.storage());

    private LogOptions options() {
        return HookedOptions.withStorage(TestLogs.options(), storage);
    }

    private void failEveryFlush() {
        storage.failFrom(StorageCall.FORCE, 1, () -> new StorageException("Input/output error"));
    }

    /** Opens a log, fails it by a flush, runs the checks, and closes the log. */
    private void failed(LogOptions options, Consumer<Log> failing, Consumer<LogAppender> then) {
        Log log = Log.open(directory, options);
        try (LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("before"));
            failEveryFlush();
            failing.accept(log);
            then.accept(appender);
        }
        assertRefused(log::close);
        storage.heal();
        assertThat(log.session.isOpen()).isFalse();
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(LogFailedException.class).hasMessageContaining("a flush failed");
    }

    private static void sync(Log log) {
        assertThatThrownBy(log::sync).isInstanceOf(LogFailedException.class).hasMessageContaining("Input/output error");
    }

    @Test
    void everyWayToAppendIsRefusedAtOnce() {
        failed(options(), LogFailureTest::sync, appender -> {
            byte[] bytes = TestLogs.bytes("after");
            Map<String, ThrowingCallable> ways = Map.of(
                    "array", () -> appender.append(bytes),
                    "memory", () -> appender.append(MemorySegment.ofArray(bytes), 0, bytes.length),
                    "in place", () -> appender.append(8, (segment, offset, length) -> {}),
                    "empty", () -> appender.append(new byte[0]),
                    "batch",
                            () -> {
                                RecordBatch batch = appender.batch();
                                batch.add(bytes);
                                try {
                                    batch.flush();
                                } finally {
                                    batch.clear();
                                    batch.close();
                                }
                            });
            ways.values().forEach(LogFailureTest::assertRefused);
        });
        Log again = TestLogs.open(directory);
        assertThat(again.committedRecords()).isEqualTo(1);
        assertRefused(again::close);
    }

    /** No caller syncs: the background has failed the log. */
    @Test
    void appendIsRefusedOnceTheBackgroundHasFailed() {
        LogOptions options = options().withSync(SyncPolicy.every(Duration.ofMillis(5)));
        failed(
                options,
                log -> await().atMost(PATIENCE).until(() -> {
                    try (LogReader reader = log.reader()) {
                        return log.session.control.failedVolatile() != 0 && reader.committedRecords() == 1;
                    }
                }),
                appender -> assertRefused(() -> appender.append(TestLogs.bytes("after"))));
    }

    /** While the log takes records, a record that is too long is refused for its length. */
    @Test
    void tellsATooLongRecordFromAFailedLog() {
        failed(
                options(),
                log -> {
                    try (LogAppender other = log.appender()) {
                        assertThatThrownBy(() -> other.append(new byte[1 << 20]))
                                .isInstanceOf(RecordTooLargeException.class)
                                .hasMessageContaining("record of 1048576 bytes; the largest is 524288 bytes");
                    }
                    sync(log);
                },
                appender -> assertRefused(() -> appender.append(new byte[1 << 20])));
    }

    @Test
    void positionsAreClaimedNoMore() {
        LogOptions options = HookedOptions.with(options(), doors -> doors.withLinked(true));
        Log log = Log.open(directory, options);
        OpenClaim claim = new OpenClaim(LogFailureTest.class);
        try (LogRecords records = LogRecords.of(log)) {
            records.commit(records.claim(8, claim));
            claim.settled();
            failEveryFlush();
            sync(log);
            assertRefused(() -> records.claim(8, claim));
        }
        assertRefused(log::close);
    }

    /** Another process learns of the failure from the control file, in its background as it appends: not only when it rolls. */
    @Test
    void isNoticedByAnotherProcess() {
        Log log = Log.open(directory, options());
        LogSession other = new Opening(directory, options()).open();
        try (LogAppender appender = LogAppender.open(other)) {
            appender.append(TestLogs.bytes("before"));
            failEveryFlush();
            sync(log);
            await().atMost(PATIENCE).until(() -> isRefused(appender));
            assertThat(Position.segment(other.endPosition()))
                    .as("no roll was needed")
                    .isZero();
        }
        assertRefused(other::close);
        assertRefused(log::close);
    }

    /** Stopping the appenders may meet an error of the JVM as well. */
    @Test
    void stopsAllAppendersWhereTheFirstAttemptEndsEarly() {
        Log log = Log.open(directory, options());
        ShortOfMemory first = new ShortOfMemory();
        log.session.traffic.add(first);
        try (LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("before"));
            failEveryFlush();
            assertThatThrownBy(log::sync).isInstanceOf(LogFailedException.class).hasCause(first.error);
            await().atMost(PATIENCE).until(() -> isRefused(appender));
        }
        assertThat(first.stops).hasValue(2);
        assertRefused(log::close);
    }

    /** A writer that cannot be stopped at the first attempt. */
    private static final class ShortOfMemory implements Writer {

        private final Error error = new OutOfMemoryError("Java heap space");
        private final AtomicInteger stops = new AtomicInteger();

        @Override
        public long records() {
            return 0;
        }

        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public long claimed() {
            return ClaimMark.NONE;
        }

        @Override
        public void leaving(long mark) {}

        @Override
        public boolean isAtWork() {
            return false;
        }

        @Override
        public void follow() {}

        @Override
        public void stop() {
            if (stops.incrementAndGet() == 1) {
                throw error;
            }
        }
    }

    @Test
    void tellsThatAClosingCouldNotBeSigned() {
        AtomicBoolean closing = new AtomicBoolean();
        Storage unsure = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public String mountIdentity(Path where) {
                if (closing.get()) {
                    throw new StorageException("which mount is this?");
                }
                return super.mountIdentity(where);
            }
        };
        Log log = Log.open(
                directory, HookedOptions.withStorage(TestLogs.options(), unsure).withSync(SyncPolicy.everyAppend()));
        closing.set(true);
        assertThatThrownBy(log::close).hasMessage("which mount is this?");
        closing.set(false);
        Log again = TestLogs.open(directory);
        assertThatThrownBy(again::appender)
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining(directory + ": the log could not be marked as closed by a process in slot 0; ");
        assertThatThrownBy(again::close).isInstanceOf(LogFailedException.class);
    }

    /** The second process has a slot, but no session yet. */
    @Test
    void namesTheProcessWhoseOpeningHasFailedTheLog() {
        Log log = TestLogs.open(directory);
        try (LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 2, 100_000);
            assertThat(Droppings.of(log, TestLogs.options(), Holds.NONE).dropFirst(0))
                    .isTrue();
            failEveryFlush();
            assertThatThrownBy(() -> new Opening(directory, options()).open()).hasMessage("Input/output error");
            assertThatThrownBy(log::appender).hasMessageContaining("a flush failed in slot 1; ");
        }
        assertRefused(log::close);
    }

    private static boolean isRefused(LogAppender appender) {
        try {
            appender.append(TestLogs.bytes("after"));
            return false;
        } catch (LogFailedException e) {
            return true;
        }
    }

    /** The file may lie on a device that takes no stores. */
    @Test
    void countsNothingAnyMore() {
        Log log = Log.open(directory, options());
        try (LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("before"));
            failEveryFlush();
            sync(log);
            Long rolls = log.counters().getOrDefault(LogCounter.ROLLS, 0L);
            log.session.counters.add(LogCounter.ROLLS, 1);
            assertThat(log.counters()).containsEntry(LogCounter.ROLLS, rolls);
        }
        assertRefused(log::close);
    }
}
