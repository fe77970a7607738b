package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.context.LogSession;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.open.Opening;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.shared.Slots;
import dev.larder.memory.ClosedException;
import dev.larder.memory.Words;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every wait strategy, on platform and virtual threads: what ends a wait, and what it asks of writers. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class WaitStrategyTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int OTHER = 1;

    /** Only a wake, an interrupt or a close ends this wait within the time of a test. */
    private static final WaitStrategy PARK_LONG = WaitStrategy.parking(Duration.ofHours(1));

    @TempDir
    Path directory;

    private interface Task<T> {
        T run() throws InterruptedException;
    }

    static Stream<WaitStrategy> strategies() {
        return Stream.of(
                WaitStrategy.busySpin(),
                WaitStrategy.yielding(),
                WaitStrategy.futex(),
                WaitStrategy.parking(Duration.ofNanos(50_000)));
    }

    static Stream<Arguments> waits() {
        return strategies()
                .flatMap(strategy -> Stream.of(
                        Arguments.of(strategy, Thread.ofPlatform().daemon()),
                        Arguments.of(strategy, Thread.ofVirtual())));
    }

    private static <T> CompletableFuture<T> in(Thread.Builder builder, Task<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        builder.start(() -> {
            try {
                result.complete(task.run());
            } catch (InterruptedException | RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static boolean next(LogReader reader, List<String> seen, Duration time) throws InterruptedException {
        return reader.poll((segment, offset, length) -> seen.add(TestLogs.text(segment, offset, length)), time);
    }

    @ParameterizedTest
    @MethodSource("waits")
    void seesEveryAppend(WaitStrategy strategy, Thread.Builder builder) throws Exception {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader(strategy)) {
            for (int i = 0; i < 20; i++) {
                List<String> seen = new ArrayList<>();
                CountDownLatch started = new CountDownLatch(1);
                CompletableFuture<Boolean> waiting = in(builder, () -> {
                    started.countDown();
                    return next(reader, seen, LONG);
                });
                started.await();
                appender.append(TestLogs.bytes("record " + i));
                assertThat(waiting.get()).isTrue();
                assertThat(seen).containsExactly("record " + i);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("waits")
    void waitsForItsTimeAndNoRecord(WaitStrategy strategy, Thread.Builder builder) throws Exception {
        try (Log log = TestLogs.open(directory);
                LogReader reader = log.reader(strategy)) {
            long start = System.nanoTime();
            assertThat(in(builder, () -> next(reader, new ArrayList<>(), Duration.ofMillis(30)))
                            .get())
                    .isFalse();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(30_000_000);
        }
    }

    @ParameterizedTest
    @MethodSource("waits")
    void endsWhenInterrupted(WaitStrategy strategy, Thread.Builder builder) throws InterruptedException {
        assertEndsWhenInterrupted(strategy, builder);
    }

    @Test
    void aLongParkEndsWhenInterrupted() throws InterruptedException {
        assertEndsWhenInterrupted(PARK_LONG, Thread.ofPlatform().daemon());
    }

    private void assertEndsWhenInterrupted(WaitStrategy strategy, Thread.Builder builder) throws InterruptedException {
        try (Log log = TestLogs.open(directory);
                LogReader reader = log.reader(strategy)) {
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<Boolean> waiting = in(builder, () -> {
                thread.complete(Thread.currentThread());
                return next(reader, new ArrayList<>(), LONG);
            });
            Thread.sleep(5);
            thread.join().interrupt();
            assertThatThrownBy(waiting::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(TestLogs.texts(reader)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("waits")
    void endsWhenTheLogIsClosed(WaitStrategy strategy, Thread.Builder builder) throws InterruptedException {
        assertEndsWhenClosed(strategy, builder);
    }

    /** A close does not wait for an hour. */
    @Test
    void aLongParkEndsWhenTheLogIsClosed() throws InterruptedException {
        assertEndsWhenClosed(PARK_LONG, Thread.ofPlatform().daemon());
    }

    private void assertEndsWhenClosed(WaitStrategy strategy, Thread.Builder builder) throws InterruptedException {
        Log log = TestLogs.open(directory);
        LogReader reader = log.reader(strategy);
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<Boolean> waiting = in(builder, () -> {
            started.countDown();
            return next(reader, new ArrayList<>(), LONG);
        });
        started.await();
        Thread.sleep(5);
        log.close();
        assertThatThrownBy(waiting::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ClosedException.class);
    }

    @ParameterizedTest
    @MethodSource("waits")
    void seesAnAppendOfOthersInAReadOnlyOpening(WaitStrategy strategy, Thread.Builder builder) throws Exception {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            LogOptions readOnly = TestLogs.options().withReadOnly(true);
            LogSession session = new Opening(directory, readOnly).open(); // as another process would
            LogReader reader = LogReader.open(session, strategy);
            List<String> seen = new ArrayList<>();
            CompletableFuture<Boolean> waiting = in(builder, () -> next(reader, seen, LONG));
            appender.append(TestLogs.bytes("one"));
            assertThat(waiting.get()).isTrue();
            assertThat(seen).containsExactly("one");
            session.close();
        }
    }

    /** A waiting reader itself reaches a record behind a dead writer's claim, without a look by another thread. */
    @ParameterizedTest
    @MethodSource("waits")
    void getsPastTheClaimOfADeadWriter(WaitStrategy strategy, Thread.Builder builder) throws Exception {
        assertGetsPastADeadClaim(strategy, builder);
    }

    @Test
    void aLongParkGetsPastTheClaimOfADeadWriter() throws Exception {
        assertGetsPastADeadClaim(PARK_LONG, Thread.ofPlatform().daemon());
    }

    private void assertGetsPastADeadClaim(WaitStrategy strategy, Thread.Builder builder) throws Exception {
        LogSession session = new Opening(directory, TestLogs.options()).open();
        try (LogAppender appender = LogAppender.open(session)) {
            session.control.generationRelease(OTHER, 1);
            Lane lane = new Lane();
            Segment segment = session.segments.enterAtOrAfter(lane, 0);
            long reserved = RecordWord.reserved(8, Slots.owner(OTHER, 1));
            assertThat(Words.compareAndSet(segment.memory, segment.chainEnd(), 0, reserved))
                    .isTrue();
            session.segments.leave(lane, segment);
            appender.append(TestLogs.bytes("behind"));
            LogReader reader = LogReader.open(session, strategy);
            List<String> seen = new ArrayList<>();
            assertThat(in(builder, () -> next(reader, seen, LONG)).get()).isTrue();
            assertThat(seen).containsExactly("behind");
        } finally {
            session.close();
        }
    }

    /** The cost for writers: a reader that sleeps on the futex asks for a wake, a system call; other strategies do not. */
    @ParameterizedTest
    @MethodSource("strategies")
    void asksWritersForAWakeOnlyWithTheFutex(WaitStrategy strategy) throws Exception {
        LogSession session = new Opening(directory, TestLogs.options()).open();
        try {
            LogReader reader = LogReader.open(session, strategy);
            in(Thread.ofPlatform().daemon(), () -> next(reader, new ArrayList<>(), Duration.ofMillis(20)))
                    .get();
            boolean asked = Words.getIntVolatile(session.control.memory, ControlLayout.WAKE_NEEDED) != 0;
            assertThat(asked)
                    .isEqualTo(strategy.kind() == WaitStrategy.Kind.FUTEX
                            && TestLogs.storage().isNative());
        } finally {
            session.close();
        }
    }

    /** More waiting virtual threads than carriers: each gives its carrier to others, or the writer would never run. */
    @Test
    void yieldingVirtualThreadsLetOthersRun() throws Exception {
        int readers = 2 * Runtime.getRuntime().availableProcessors();
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                LogReader reader = log.reader(WaitStrategy.yielding());
                waiting.add(in(Thread.ofVirtual(), () -> next(reader, new ArrayList<>(), LONG)));
            }
            Thread.sleep(5);
            in(Thread.ofVirtual(), () -> appender.append(TestLogs.bytes("one"))).get();
            for (CompletableFuture<Boolean> one : waiting) {
                assertThat(one.get()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000000999S", "PT-1S", "PT1H0.001S", "PT1000000000H"})
    void refusesParksOutOfRange(Duration interval) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WaitStrategy.parking(interval))
                .withMessageContainingAll(interval.toString(), "1 us", "1 hour");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000001S", "PT0.00005S", "PT1H"})
    void takesParksWithinTheRange(Duration interval) {
        assertThat(WaitStrategy.parking(interval).interval()).isEqualTo(interval);
    }
}
