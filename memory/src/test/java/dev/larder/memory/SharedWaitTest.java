package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Waiting for a word, by both means, on platform threads and virtual ones. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
final class SharedWaitTest {

    private static final long LONG_NANOS = Duration.ofMinutes(5).toNanos();

    static Stream<Arguments> waits() {
        return TestMachine.storages()
                .map(Storage::sharedWait)
                .flatMap(wait -> Stream.of(
                        Arguments.of(wait, Thread.ofPlatform().daemon()), Arguments.of(wait, Thread.ofVirtual())));
    }

    @ParameterizedTest
    @MethodSource("waits")
    void wakesEverybody(SharedWait wait, Thread.Builder builder) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment words = arena.allocate(64, 8);
            CountDownLatch started = new CountDownLatch(3);
            List<FutureTask<Void>> waiters = Stream.generate(() -> started(builder, () -> {
                        started.countDown();
                        while (words.get(ValueLayout.JAVA_INT, 8) == 0) {
                            wait.await(words, 8, 0, LONG_NANOS);
                        }
                    }))
                    .limit(3)
                    .toList();
            started.await();
            words.set(ValueLayout.JAVA_INT, 8, 1);
            wait.wakeAll(words, 8);
            for (FutureTask<Void> waiter : waiters) {
                waiter.get();
            }
        }
    }

    /** Starts a thread. The task's {@code get} waits for its end, and throws what the thread threw. */
    private static FutureTask<Void> started(Thread.Builder builder, Runnable work) {
        FutureTask<Void> task = new FutureTask<>(work, null);
        builder.start(task);
        return task;
    }

    @ParameterizedTest
    @MethodSource("waits")
    void returnsAtOnceWhenTheWordDiffers(SharedWait wait, Thread.Builder builder) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment words = arena.allocate(64, 8);
            started(builder, () -> wait.await(words, 4, 7, LONG_NANOS)).get();
        }
    }

    /** The wait ends only by its time, though the thread was interrupted before; the interrupt status stays set. */
    @ParameterizedTest
    @MethodSource("waits")
    void waitsItsTimeAndKeepsTheInterrupt(SharedWait wait, Thread.Builder builder) throws Exception {
        boolean[] interrupted = new boolean[1];
        long[] nanos = new long[1];
        try (Arena arena = Arena.ofShared()) {
            MemorySegment words = arena.allocate(64, 8);
            started(builder, () -> {
                        Thread.currentThread().interrupt();
                        long start = System.nanoTime();
                        wait.await(words, 0, 0, 20_000_000);
                        nanos[0] = System.nanoTime() - start;
                        interrupted[0] = Thread.currentThread().isInterrupted();
                    })
                    .get();
        }
        assertThat(interrupted[0]).isTrue();
        assertThat(nanos[0]).isGreaterThanOrEqualTo(20_000_000);
    }

    @ParameterizedTest
    @MethodSource("waits")
    void waitsOnTheHeapToo(SharedWait wait, Thread.Builder builder) throws Exception {
        MemorySegment words = MemorySegment.ofArray(new int[4]);
        started(builder, () -> wait.await(words, 4, 0, 1_000_000)).get();
        wait.wakeAll(words, 4);
    }
}
