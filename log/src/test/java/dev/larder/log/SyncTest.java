package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.context.LogSession;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.OpenSession;
import dev.larder.log.shared.ControlFile;
import dev.larder.memory.ClosedException;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
final class SyncTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void returnsAPositionBehindEverythingAppended(IntegrityMode integrity) {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender()) {
            long empty = log.sync();
            assertThat(empty).isEqualTo(log.endPosition()).isEqualTo(log.durablePosition());
            long last = 0;
            for (int i = 0; i < 300; i++) {
                last = appender.append(TestLogs.bytes(i * 97, i));
                if (i % 40 == 0) {
                    long durable = log.sync();
                    assertThat(durable).isGreaterThan(last).isEqualTo(log.endPosition());
                    assertThat(log.durablePosition()).isEqualTo(durable);
                    assertThat(log.info().durablePosition()).isEqualTo(durable);
                }
            }
            assertThat(Position.segment(last)).isPositive();
            assertThat(log.durablePosition()).isLessThan(last);
            assertThat(log.sync()).isGreaterThan(last);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void flushesNothingTwice() {
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage));
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
            long durable = log.sync();
            long forces = storage.count(StorageCall.FORCE);
            assertThat(log.sync()).isEqualTo(durable);
            assertThat(storage.count(StorageCall.FORCE)).isEqualTo(forces);
            appender.append(TestLogs.bytes("two"));
            log.sync();
            assertThat(storage.count(StorageCall.FORCE)).isGreaterThan(forces);
        }
    }

    @Test
    void doesNotSyncUnaskedWithoutAPolicy() {
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage));
                LogAppender appender = log.appender()) {
            long forces = storage.count(StorageCall.FORCE);
            long durable = log.durablePosition();
            for (int i = 0; i < 1000; i++) {
                appender.append(TestLogs.bytes(100, i));
            }
            assertThat(storage.count(StorageCall.FORCE)).isEqualTo(forces);
            assertThat(log.durablePosition()).isEqualTo(durable);
        }
    }

    @Test
    void syncsBeforeEachAppendReturns() {
        LogOptions options = TestLogs.options().withSync(SyncPolicy.everyAppend());
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch()) {
            for (int i = 0; i < 10; i++) {
                assertThat(appender.append(TestLogs.bytes("record"))).isLessThan(log.durablePosition());
            }
            batch.add(TestLogs.bytes("one"));
            batch.add(TestLogs.bytes("two"));
            assertThat(batch.flush()).isLessThan(log.durablePosition());
            assertThat(log.durablePosition()).isEqualTo(log.endPosition());
        }
    }

    @Test
    void syncsInTheBackgroundAtItsPace() {
        LogOptions options = TestLogs.options().withSync(SyncPolicy.every(Duration.ofMillis(20)));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            for (int i = 0; i < 5; i++) {
                long position = appender.append(TestLogs.bytes("record"));
                await().atMost(Duration.ofMinutes(2)).until(() -> log.durablePosition() > position);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void failsTheLogForGoodWhenAFlushFails(IntegrityMode integrity) {
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        LogOptions options =
                HookedOptions.withStorage(TestLogs.options(), storage).withIntegrity(integrity);
        Log log = Log.open(directory, options);
        try (LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
            long durable = log.sync();
            appender.append(TestLogs.bytes("two"));
            storage.fail(
                    StorageCall.FORCE, storage.count(StorageCall.FORCE) + 1, () -> new StorageException("no more"));
            assertThatThrownBy(log::sync)
                    .isInstanceOf(LogFailedException.class)
                    .hasMessageContaining("no more")
                    .hasCauseInstanceOf(StorageException.class);
            assertThatThrownBy(log::sync).isInstanceOf(LogFailedException.class);
            assertThatThrownBy(log::appender).isInstanceOf(LogFailedException.class);
            assertThat(log.durablePosition()).isEqualTo(durable);
            assertThat(TestLogs.texts(log)).containsExactly("one", "two");
        }
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class).hasMessageContaining("a flush failed");
    }

    /** The place of the last sync is one of two copies: the next one must not be stored over the only durable one. */
    @Test
    void storesNoPlaceThatItCannotFlush() {
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        LogOptions options =
                HookedOptions.withStorage(TestLogs.options(), storage).withIntegrity(IntegrityMode.NONE);
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
            long durable = log.sync();
            ControlFile control = OpenSession.of(log).control;
            assertThat(control.place().orElseThrow().position()).isEqualTo(durable);
            appender.append(TestLogs.bytes("two"));
            storage.fail(
                    StorageCall.OPEN,
                    storage.count(StorageCall.OPEN) + 1,
                    () -> new SystemLimitException("too many open files"));
            assertThatThrownBy(log::sync).hasMessage("too many open files");
            assertThat(control.place().orElseThrow().position()).isEqualTo(durable);
            long end = log.sync();
            assertThat(control.place().orElseThrow().position()).isEqualTo(end);
        }
    }

    /** After a crash, no reader reaches a record behind one that was still being filled, so a sync does not promise it. */
    @Test
    void waitsForAnEarlierClaimOfALiveWriter() {
        try (Log log = TestLogs.open(directory);
                LogAppender slow = log.appender();
                LogAppender quick = log.appender()) {
            List<CompletableFuture<Long>> syncing = new ArrayList<>();
            long position = slow.append(8, (segment, offset, length) -> {
                quick.append(TestLogs.bytes("behind"));
                syncing.add(OtherThread.call(log::sync));
                await().pollDelay(Duration.ofMillis(50)).until(() -> true);
                assertThat(syncing.getFirst()).isNotDone();
            });
            assertThat(syncing.getFirst().join()).isGreaterThan(position).isEqualTo(log.endPosition());
        }
    }

    @Test
    void closingSyncsUnlessThePolicyIsNone() {
        long end;
        try (Log log = Log.open(directory, TestLogs.options().withSync(SyncPolicy.every(Duration.ofHours(1))));
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
            assertThat(log.durablePosition()).isLessThan(log.endPosition());
            end = log.endPosition();
        }
        try (Log log = TestLogs.open(directory)) {
            assertThat(log.durablePosition()).isEqualTo(end);
        }
    }

    /** The call waits for no other thread, so an interrupt is no reason to refuse it. */
    @Test
    void syncsForAnInterruptedThreadThatNeedNotWait() {
        LogOptions options = TestLogs.options().withSync(SyncPolicy.everyAppend());
        Thread.currentThread().interrupt();
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender();
                Bookmark bookmark = log.bookmark("one")) {
            long position = appender.append(TestLogs.bytes("one"));
            bookmark.move(position);
            long durable = log.sync();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(durable).isGreaterThan(position);
            assertThat(TestLogs.texts(log)).containsExactly("one");
        }
    }

    /** Stops the first thread that reaches a step, until the test lets it continue. */
    private static final class Stop implements Failpoints {

        private final String at;
        private final AtomicBoolean armed = new AtomicBoolean();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);

        Stop(String at) {
            this.at = at;
        }

        @Override
        public void reached(String step) {
            if (step.equals(at) && armed.getAndSet(false)) {
                reached.countDown();
                await(mayGoOn);
            }
        }

        void awaitReached() {
            await(reached);
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Records that threads appended during a flush become durable with one further flush. */
    @Test
    void sharesAFlushBetweenThreads() {
        Stop stop = new Stop("sync.sealed");
        LogOptions options = TestLogs.options().withSync(SyncPolicy.everyAppend());
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(options, stop))) {
            stop.armed.set(true);
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            threads.add(OtherThread.run(() -> appendOne(log)));
            stop.awaitReached();
            for (int t = 0; t < 3; t++) {
                threads.add(OtherThread.run(() -> appendOne(log)));
            }
            Await.until(() -> TestLogs.texts(log).size() == 4);
            assertThat(threads).noneMatch(CompletableFuture::isDone);
            stop.mayGoOn.countDown();
            threads.forEach(CompletableFuture::join);
            assertThat(log.counters()).containsEntry(LogCounter.SYNCS, 2L);
        }
    }

    private static void appendOne(Log log) {
        try (LogAppender appender = log.appender()) {
            assertThat(appender.append(TestLogs.bytes("record"))).isLessThan(log.durablePosition());
        }
    }

    @Test
    void saysThatTheRecordIsThereWhereAnInterruptedThreadWouldHaveToWait() {
        Stop stop = new Stop("sync.sealed");
        LogOptions options = TestLogs.options().withSync(SyncPolicy.everyAppend());
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(options, stop));
                LogAppender one = log.appender();
                LogAppender two = log.appender()) {
            stop.armed.set(true);
            CompletableFuture<Long> first = OtherThread.call(() -> one.append(TestLogs.bytes("one")));
            stop.awaitReached();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> two.append(TestLogs.bytes("two")))
                    .isInstanceOf(InterruptedWaitException.class)
                    .hasMessageContainingAll(directory.toString(), "was appended", "not synced yet");
            assertThat(Thread.interrupted()).isTrue();
            stop.mayGoOn.countDown();
            first.join();
            assertThat(TestLogs.texts(log)).containsExactly("one", "two");
        }
    }

    /** The thread has left the appender, and no other call has begun, so the close does not wait. */
    @Test
    void saysThatTheRecordIsThereWhereTheLogIsClosedBeforeItsSync() {
        Stop stop = new Stop("append.left");
        LogOptions options = TestLogs.options().withSync(SyncPolicy.everyAppend());
        Log log = Log.open(directory, HookedOptions.withFailpoints(options, stop));
        LogAppender appender = log.appender();
        stop.armed.set(true);
        CompletableFuture<Long> appending = OtherThread.call(() -> appender.append(TestLogs.bytes("one")));
        stop.awaitReached();
        log.close();
        stop.mayGoOn.countDown();
        assertThatThrownBy(appending::join)
                .cause()
                .isInstanceOf(ClosedException.class)
                .hasMessageContainingAll(directory.toString(), "was closed", "was appended", "do not append it again");
        try (Log again = TestLogs.open(directory)) {
            assertThat(TestLogs.texts(again)).containsExactly("one");
        }
    }

    /** A close that did not wait took the mapping away during another thread's sync. */
    @Test
    void closingWaitsForASyncOfAnotherThread() {
        Stop stop = new Stop("sync.flushed");
        Log log = Log.open(directory, HookedOptions.withFailpoints(TestLogs.options(), stop));
        log.appender().append(TestLogs.bytes("one"));
        LogSession session = OpenSession.of(log);
        stop.armed.set(true);
        CompletableFuture<Long> syncing = OtherThread.call(log::sync);
        stop.awaitReached();
        Thread closer = Thread.ofPlatform().start(log::close);
        Await.until(() -> !session.isOpen() && closer.getState() != Thread.State.RUNNABLE);
        stop.mayGoOn.countDown();
        assertThat(syncing.join()).isPositive();
        join(closer);
        assertThatThrownBy(log::sync).isInstanceOf(ClosedException.class);
    }

    /** A verification reads the whole log, but ends before its next segment when the log is closed. */
    @Test
    void closingEndsAVerificationOfAnotherThread() {
        Stop stop = new Stop("segment");
        Log log = TestLogs.open(directory);
        try (LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 3, 100_000);
        }
        LogSession session = OpenSession.of(log);
        stop.armed.set(true);
        CompletableFuture<VerifyReport> verifying =
                OtherThread.call(() -> log.verify((done, total) -> stop.reached("segment")));
        stop.awaitReached();
        Thread closer = Thread.ofPlatform().start(log::close);
        Await.until(() -> !session.isOpen() && closer.getState() != Thread.State.RUNNABLE);
        stop.mayGoOn.countDown();
        assertThatThrownBy(verifying::join).hasCauseInstanceOf(ClosedException.class);
        join(closer);
    }

    /** A call that would wait for itself is refused, and changes nothing. */
    @Test
    void isNotClosedFromInsideItsOwnVerification() {
        Log log = TestLogs.open(directory);
        log.appender().append(TestLogs.bytes("one"));
        assertThatThrownBy(() -> log.verify((done, total) -> log.close()))
                .isInstanceOf(IllegalStateException.class)
                .isNotInstanceOf(ClosedException.class)
                .hasMessageContaining("from inside");
        assertThat(TestLogs.texts(log)).containsExactly("one");
        log.close();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
