package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.larder.codec.ValueCodec;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Puts wait for room that readers hold for a moment, and that other puts take: they do not fail, as the map is not full. */
@Tag("any-storage")
@Timeout(120)
final class PutsBesideReadersTest {

    private static final int KEYS = 60;
    private static final int LENGTH = 100_000;
    private static final int WRITERS = 24;
    private static final int READERS = 2;
    private static final long MOST_BYTES = 16L << 20;
    private static final long READ_NANOS = 40_000_000;
    private static final Duration LENGTH_OF_RUN = Duration.ofSeconds(Effort.of(3, 6, 60));

    @TempDir
    Path directory;

    private static CompletableFuture<Void> repeat(long end, Runnable work) {
        return OtherThread.run(() -> {
            while (System.nanoTime() < end) {
                work.run();
            }
        });
    }

    @Test
    void noPutFails() {
        MapOptions bounded = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withMaxBytes(MOST_BYTES));
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), bounded)) {
            for (long key = 0; key < KEYS; key++) {
                map.set(key, new byte[LENGTH]);
            }
            long end = System.nanoTime() + LENGTH_OF_RUN.toNanos();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                SplittableRandom random = new SplittableRandom(writer);
                all.add(repeat(end, () -> map.set((long) random.nextInt(KEYS), new byte[LENGTH])));
            }
            for (int reader = 0; reader < READERS; reader++) {
                SplittableRandom random = new SplittableRandom(WRITERS + reader);
                all.add(repeat(
                        end,
                        () -> map.read(
                                (long) random.nextInt(KEYS),
                                (segment, offset, length) -> LockSupport.parkNanos(READ_NANOS))));
            }
            assertThatCode(() -> CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                            .join())
                    .doesNotThrowAnyException();
            assertThat(map).hasSize(KEYS);
        }
    }
}
