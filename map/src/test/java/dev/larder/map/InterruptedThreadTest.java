package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.ValueCodec;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Waits of the map that no interrupt ends; the thread stays interrupted. */
@Timeout(120)
final class InterruptedThreadTest {

    private static final long MAX_BYTES = 24L << 20;
    private static final int LENGTH = 100_000;

    @TempDir
    Path directory;

    /** The thread makes the room itself, by cleaning: no other thread does. */
    @Test
    void putsWhereItHasToMakeRoom() {
        MapOptions options = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withMaxBytes(MAX_BYTES).withBackground(false));
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            Thread.currentThread().interrupt();
            for (long i = 0; i < 3 * MAX_BYTES / LENGTH; i++) {
                map.set(i % 20, new byte[LENGTH]);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
            assertThat(Thread.interrupted()).isTrue();
            assertThat(map.info().space().cleanedBytes()).isPositive();
            assertThat(map).hasSize(20);
        }
    }

    @Test
    void waitsForALoader() throws Exception {
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch loading = new CountDownLatch(1);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            FutureTask<Long> loads = new FutureTask<>(() -> map.getOrLoad(1L, key -> {
                loading.countDown();
                awaitSignal(goesOn);
                return 7L;
            }));
            FutureTask<Boolean> waits = new FutureTask<>(() -> {
                Long found = map.getOrLoad(1L, key -> 8L);
                return found != null && found == 7 && Thread.currentThread().isInterrupted();
            });
            Thread.ofPlatform().start(loads);
            awaitSignal(loading);
            Thread waiting = Thread.ofPlatform().start(waits);
            await().until(() -> isWaiting(waiting));
            waiting.interrupt();
            await().until(() -> isWaiting(waiting)); // again, or still
            assertThat(waits.isDone()).isFalse();
            goesOn.countDown();
            assertThat(waits.get()).isTrue();
            assertThat(loads.get()).isEqualTo(7);
        }
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static void awaitSignal(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
