package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.Codec;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.log.BookmarkHeldException;
import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogCounter;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.ClosedException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.DelegatingStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer handles each message at least once, stops in order, and reports why it stopped. */
@Timeout(300)
final class QueueConsumerTest {

    private static final String NAME = "name";
    private static final Codec<Long> LONGS = Codec.longs();

    @TempDir
    Path directory;

    private final BlockingQueue<Long> handled = new LinkedBlockingQueue<>();

    private LarderQueue filled(long values) {
        LarderQueue queue = TestQueues.open(directory);
        append(queue, 0, values);
        return queue;
    }

    private static void append(LarderQueue queue, long from, long to) {
        try (TypedAppender<Long> appender = queue.appender(LONGS)) {
            for (long value = from; value < to; value++) {
                appender.append(value);
            }
        }
    }

    private static long committed(LarderQueue queue) {
        return queue.tailers().getFirst().sequence().orElseThrow();
    }

    private static ConsumerOptions platform() {
        return ConsumerOptions.defaults()
                .withThreads(Thread.ofPlatform().daemon().name("consumer").factory());
    }

    private static ConsumerOptions options(boolean virtual) {
        return virtual ? ConsumerOptions.defaults() : platform();
    }

    private List<Long> take(int count) throws InterruptedException {
        List<Long> taken = new ArrayList<>();
        while (taken.size() < count) {
            taken.add(handled.take());
        }
        return taken;
    }

    private static Throwable failureOf(QueueConsumer consumer) {
        CompletionException thrown = catchThrowableOfType(
                CompletionException.class,
                () -> consumer.stopped().toCompletableFuture().join());
        return Objects.requireNonNull(thrown.getCause());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void handlesWhatIsThereAndWhatComes(boolean virtual) throws InterruptedException {
        try (LarderQueue queue = filled(3)) {
            QueueConsumer first = queue.consumer(NAME, LONGS, handled::add, options(virtual));
            assertThat(take(3)).containsExactly(0L, 1L, 2L);
            append(queue, 3, 5);
            assertThat(take(2)).containsExactly(3L, 4L);
            first.close();
            assertThat(first.stopped().toCompletableFuture().join()).isEqualTo(5);
            assertThat(first.handledMessages()).isEqualTo(5);
            append(queue, 5, 6);
            try (QueueConsumer consumer = queue.consumer(NAME, LONGS, handled::add, options(virtual))) {
                assertThat(take(1)).containsExactly(5L);
                assertThat(consumer.name()).isEqualTo(NAME);
            }
            assertThat(committed(queue)).isEqualTo(6);
        }
    }

    /** A consumer whose name is held does not wait, and leaves the holder of the name alone. */
    @Test
    void refusesASecondConsumerOfAName() throws InterruptedException {
        try (LarderQueue queue = filled(1);
                QueueConsumer consumer = queue.consumer(NAME, LONGS, handled::add, ConsumerOptions.defaults())) {
            assertThatThrownBy(() -> queue.consumer(NAME, (segment, offset, length) -> {}))
                    .isInstanceOf(BookmarkHeldException.class)
                    .hasMessageContainingAll(directory.toString(), NAME);
            append(queue, 1, 2);
            assertThat(take(2)).containsExactly(0L, 1L);
            assertThat(consumer.stopped().toCompletableFuture()).isNotDone();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void stopsAndTellsWhenTheHandlerThrows(int commitMessages) {
        RuntimeException error = new IllegalStateException("of the handler");
        try (LarderQueue queue = filled(8)) {
            QueueConsumer consumer = queue.consumer(
                    NAME,
                    LONGS,
                    value -> {
                        if (value == 5) {
                            throw error;
                        }
                    },
                    ConsumerOptions.defaults().withCommitMessages(commitMessages));
            ConsumerFailedException failure = (ConsumerFailedException) failureOf(consumer);
            assertThat(failure).hasMessageContainingAll(directory.toString(), NAME, "1 time", "of the handler");
            assertThat(failure).hasCause(error);
            assertThat(committed(queue)).isEqualTo(5);
            consumer.close();
            try (TypedTailer<Long> next = queue.tailer(NAME, LONGS)) {
                assertThat(next.position()).isEqualTo(failure.position());
                assertThat(next.next()).contains(5L);
            }
        }
    }

    @Test
    void triesAMessageAgainAsOftenAsItMay() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        try (LarderQueue queue = filled(3)) {
            ConsumerOptions twice = ConsumerOptions.defaults().withRetries(2, Duration.ofNanos(1));
            QueueConsumer consumer = queue.consumer(
                    NAME,
                    LONGS,
                    value -> {
                        int call = calls.incrementAndGet();
                        if ((value == 0 && call <= 2) || (value == 1 && call <= 5) || value == 2) {
                            throw new IllegalStateException("call " + call);
                        }
                        handled.add(value);
                    },
                    twice);
            assertThat(failureOf(consumer)).hasMessageContainingAll("3 times", "call 9");
            assertThat(take(2)).containsExactly(0L, 1L);
            assertThat(calls).hasValue(9);
            assertThat(committed(queue)).isEqualTo(2);
        }
    }

    @Test
    void doesNotTryAgainAfterAnError() {
        AtomicInteger calls = new AtomicInteger();
        try (LarderQueue queue = filled(3)) {
            QueueConsumer consumer = queue.consumer(
                    NAME,
                    (segment, offset, length) -> {
                        calls.incrementAndGet();
                        throw new StackOverflowError();
                    },
                    ConsumerOptions.defaults().withRetries(1000, Duration.ZERO));
            assertThat(failureOf(consumer)).hasCauseInstanceOf(StackOverflowError.class);
            assertThat(calls).hasValue(1);
        }
    }

    @Test
    void endsAPauseWhenItIsClosed() throws InterruptedException {
        CountDownLatch failed = new CountDownLatch(1);
        try (LarderQueue queue = filled(1)) {
            QueueConsumer consumer = queue.consumer(
                    NAME,
                    (segment, offset, length) -> {
                        failed.countDown();
                        throw new IllegalStateException("again");
                    },
                    ConsumerOptions.defaults().withRetries(1, Duration.ofDays(1)));
            failed.await();
            consumer.close();
            assertThat(consumer.stopped().toCompletableFuture().join()).isZero();
            assertThat(committed(queue)).isZero();
        }
    }

    /** The handler is neither interrupted nor cut short, and nothing is handled after it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waitsForTheHandlerAndCommitsWhatItHandled(boolean virtual) throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        try (LarderQueue queue = filled(5)) {
            QueueConsumer consumer = queue.consumer(
                    NAME,
                    LONGS,
                    value -> {
                        if (value == 1) {
                            inside.countDown();
                            awaitUnlessInterrupted(leave);
                        }
                        handled.add(value);
                    },
                    options(virtual).withCommitMessages(1000));
            inside.await();
            Thread closer = Thread.ofPlatform().start(consumer::close);
            await().until(() -> isWaiting(closer));
            assertThat(consumer.stopped().toCompletableFuture()).isNotDone();
            leave.countDown();
            closer.join();
            assertThat(handled).containsExactly(0L, 1L);
            assertThat(committed(queue)).isEqualTo(2);
        }
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TERMINATED;
    }

    private static void awaitUnlessInterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("the handler was interrupted", e);
        }
    }

    /** Includes a close before the thread has begun to wait. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endsAWaitWhenItIsClosed(boolean virtual) {
        try (LarderQueue queue = TestQueues.open(directory)) {
            for (int i = 0; i < 20; i++) {
                long before = waits(queue);
                QueueConsumer consumer = queue.consumer(NAME, LONGS, handled::add, options(virtual));
                if (i % 2 == 0) {
                    await().until(() -> waits(queue) > before);
                }
                consumer.close();
                consumer.close();
                assertThat(consumer.stopped().toCompletableFuture().join()).isZero();
            }
        }
    }

    private static long waits(LarderQueue queue) {
        return Objects.requireNonNull(queue.counters().get(LogCounter.WAITS));
    }

    @Test
    void stopsWithItsQueueAndCommits() throws InterruptedException {
        CompletableFuture<Long> stopped;
        try (LarderQueue queue = filled(3)) {
            stopped = queue.consumer(
                            NAME,
                            LONGS,
                            handled::add,
                            ConsumerOptions.defaults().withCommitMessages(1000))
                    .stopped()
                    .toCompletableFuture();
            take(3);
        }
        assertThat(stopped.join()).isEqualTo(3);
        try (LarderQueue queue = TestQueues.open(directory)) {
            assertThat(committed(queue)).isEqualTo(3);
        }
    }

    @Test
    void cannotBeClosedByItsHandler() {
        try (LarderQueue queue = filled(1)) {
            CompletableFuture<QueueConsumer> made = new CompletableFuture<>();
            CompletableFuture<Throwable> own = new CompletableFuture<>();
            CompletableFuture<Throwable> whole = new CompletableFuture<>();
            QueueConsumer consumer = queue.consumer(NAME, (segment, offset, length) -> {
                own.complete(catchThrowable(made.join()::close));
                whole.complete(catchThrowable(queue::close));
            });
            made.complete(consumer);
            assertThat(own.join())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(directory.toString(), NAME);
            assertThat(whole.join()).isInstanceOf(IllegalStateException.class);
            consumer.close();
            assertThat(committed(queue)).isEqualTo(1);
        }
    }

    /** A stage that depends on the consumer's end may close the consumer, and take its name. */
    @Test
    void freesItsNameBeforeItTells() {
        try (LarderQueue queue = filled(1)) {
            QueueConsumer consumer = queue.consumer(NAME, (segment, offset, length) -> {
                throw new IllegalStateException("at once");
            });
            String seen = consumer.stopped()
                    .handle((count, error) -> {
                        consumer.close();
                        try (Tailer next = queue.tailer(NAME)) {
                            return Long.toString(next.sequence());
                        }
                    })
                    .toCompletableFuture()
                    .join();
            assertThat(seen).isEqualTo("0");
        }
    }

    @Test
    void leavesNothingWhereItsThreadCannotStart() {
        OutOfMemoryError error = new OutOfMemoryError("unable to create native thread");
        ThreadFactory failing = work -> {
            throw error;
        };
        ThreadFactory unstarted = work -> Thread.ofPlatform().unstarted(() -> {
            throw new AssertionError("never started");
        });
        try (LarderQueue queue = filled(1)) {
            ConsumerOptions defaults = ConsumerOptions.defaults();
            MessageHandler handler = (segment, offset, length) -> {};
            assertThatThrownBy(() -> queue.consumer(NAME, handler, defaults.withThreads(failing)))
                    .isSameAs(error);
            assertThatIllegalStateException()
                    .isThrownBy(() -> queue.consumer(NAME, handler, defaults.withThreads(work -> null)))
                    .withMessageContainingAll(directory.toString(), NAME);
            Thread started = unstarted.newThread(() -> {});
            started.setUncaughtExceptionHandler((thread, thrown) -> {});
            started.start();
            assertThatThrownBy(() -> queue.consumer(NAME, handler, defaults.withThreads(work -> started)))
                    .isInstanceOf(IllegalThreadStateException.class);
            queue.tailer(NAME).close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tellsThatItsThreadWasInterrupted(boolean virtual) throws InterruptedException {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        try (LarderQueue queue = filled(1)) {
            QueueConsumer consumer = queue.consumer(
                    NAME, (segment, offset, length) -> thread.complete(Thread.currentThread()), options(virtual));
            thread.join().interrupt();
            assertThat(failureOf(consumer))
                    .isInstanceOf(InterruptedWaitException.class)
                    .hasMessageContainingAll(directory.toString(), NAME);
            queue.tailer(NAME).close();
        }
    }

    @Test
    void callsAMessageOfAnotherTypeAnErrorOfTheHandler() {
        try (LarderQueue queue = filled(1)) {
            long wrong = queue.append("no long");
            QueueConsumer consumer = queue.consumer(NAME, LONGS, handled::add, ConsumerOptions.defaults());
            ConsumerFailedException failure = (ConsumerFailedException) failureOf(consumer);
            assertThat(failure).hasCauseInstanceOf(SchemaMismatchException.class);
            assertThat(failure.position()).isEqualTo(wrong);
        }
    }

    /** Starts as many consumers as would take every carrier several times over, if a wait held its carrier. */
    @Test
    void doesNotHoldACarrierWhileItWaits() {
        try (LarderQueue queue = filled(1)) {
            int many = 8 * Runtime.getRuntime().availableProcessors();
            CountDownLatch handledByAll = new CountDownLatch(many);
            List<QueueConsumer> consumers = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                consumers.add(queue.consumer("name-" + i, (segment, offset, length) -> handledByAll.countDown()));
            }
            awaitUnlessInterrupted(handledByAll);
            AtomicInteger steps = new AtomicInteger();
            Thread other = Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 1000; i++) {
                    steps.incrementAndGet();
                    Thread.yield();
                }
            });
            assertThat(catchThrowable(other::join)).isNull();
            assertThat(steps).hasValue(1000);
            consumers.forEach(QueueConsumer::close);
        }
    }

    @Test
    void refusesOptionsOutOfTheirRange() {
        ConsumerOptions options = ConsumerOptions.defaults();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withCommitMessages(0))
                .withMessageContaining("0 messages");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withRetries(-1, Duration.ZERO))
                .withMessageContaining("-1 retries");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withRetries(1, Duration.ofDays(2)))
                .withMessageContaining("PT48H");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> options.withRetries(1, Duration.ofNanos(-1)));
    }

    /** Returns whether a thread polls, by its calls: for the system it is not asleep, but in a native call. */
    private static boolean isPolling(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(call -> call.getClassName().equals(Tailer.class.getName())
                        && call.getMethodName().equals("poll"));
    }

    @Test
    void aCloseInsideTheHandlerOfATailerStopsNoConsumer() throws InterruptedException {
        try (LarderQueue queue = filled(1);
                Tailer tailer = queue.tailer()) {
            QueueConsumer consumer = queue.consumer(NAME, LONGS, handled::add, ConsumerOptions.defaults());
            assertThat(take(1)).containsExactly(0L);
            assertThat(tailer.poll((segment, offset, length) -> assertThatIllegalStateException()
                            .isThrownBy(queue::close)
                            .withMessageContaining("inside its own handler")))
                    .isTrue();
            assertThat(consumer.stopped().toCompletableFuture()).isNotDone();
            append(queue, 1, 2);
            assertThat(take(1)).containsExactly(1L);
        }
    }

    /** The JVM has no memory to wake the thread of a consumer: the others are closed nevertheless, and so is the queue. */
    @Test
    void anErrorAtACloseKeepsNoOtherConsumerNorTheQueueOpen() {
        AtomicInteger woken = new AtomicInteger();
        List<Thread> made = new CopyOnWriteArrayList<>();
        ThreadFactory threads = work -> {
            Thread thread = new Thread(work) {
                @Override
                public void interrupt() {
                    if (woken.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("at the first close");
                    }
                    super.interrupt();
                }
            };
            made.add(thread);
            return thread;
        };
        ConsumerOptions options = ConsumerOptions.defaults().withThreads(threads);
        LarderQueue queue = filled(0);
        List<QueueConsumer> consumers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            consumers.add(queue.consumer(NAME + i, LONGS, handled::add, options));
        }
        await().until(() -> made.stream().allMatch(QueueConsumerTest::isPolling));
        assertThatThrownBy(queue::close).isInstanceOf(OutOfMemoryError.class);
        assertThat(woken).hasValueGreaterThanOrEqualTo(3);
        assertThatThrownBy(queue::sync).isInstanceOf(ClosedException.class);
        assertThat(consumers)
                .allSatisfy(consumer -> assertThat(consumer.stopped()
                                .handle((count, error) -> true)
                                .toCompletableFuture()
                                .join())
                        .isTrue());
    }

    /** A storage whose clock fails on the consumer's thread, once it is told to. */
    private static final class FailingClock extends DelegatingStorage {

        private volatile boolean fails;

        FailingClock(Storage storage) {
            super(storage);
        }

        @Override
        public long currentTimeMillis() {
            if (fails && Thread.currentThread().getName().equals("consumer")) {
                throw new StorageException("no clock");
            }
            return super.currentTimeMillis();
        }
    }

    /** Once, the queue then kept the consumer as long as it was open. */
    @Test
    void isForgottenAlsoIfItsTailerCannotBeClosed() {
        FailingClock storage =
                new FailingClock(HookedOptions.of(TestQueues.options()).storage());
        CountDownLatch forgotten = new CountDownLatch(1);
        try (LarderQueue queue =
                LarderQueue.open(directory, HookedOptions.withStorage(TestQueues.options(), storage))) {
            QueueConsumer consumer = new QueueConsumer(
                    directory,
                    NAME,
                    queue.tailer(NAME),
                    (segment, offset, length) -> {},
                    platform(),
                    ended -> forgotten.countDown());
            consumer.start();
            storage.fails = true;
            consumer.close();
            assertThat(failureOf(consumer)).hasMessage("no clock");
            assertThat(forgotten.getCount()).isZero();
            storage.fails = false;
        }
    }
}
