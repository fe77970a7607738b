package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.memory.ClosedException;
import dev.larder.tests.support.Effort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers without a pin, beside everything that takes memory from under them. Segments are dropped, their files are reused, and
 * the map is closed and opened again and again. A load from an unmapped address would end the JVM. A copied value belongs to its
 * own key, from its first byte to its last. No map ever returns a value of another map.
 */
@Timeout(1800)
final class StaleReadersTest {

    private static final long READS = Effort.of(200_000, 1_000_000, 100_000_000);
    private static final int READERS = 3;
    private static final int KEYS = 500;
    private static final int LENGTH_MAX = 300_000;
    private static final int SHORT_MAX = 6000;
    private static final int PUTS = 2000;

    @TempDir
    Path directory;

    private final LongAdder reads = new LongAdder();
    private final AtomicBoolean done = new AtomicBoolean();

    /** One opening, with a number that is part of each of its values. */
    private record Opening(LarderMap<Long, byte[]> map, long number) {}

    private volatile Opening current;

    @BeforeEach
    void openFirst() {
        current = open(0);
    }

    private Opening open(long number) {
        LogOptions log = TestMaps.options();
        MapOptions options = MapOptions.defaults()
                .withLog(log)
                .withCleaning(Cleaning.defaults().withMaxBytes(32L << 20));
        Path place = directory.resolve("map" + number % 2);
        LarderMap<Long, byte[]> map = LarderMap.open(place, ValueCodec.longs(), ValueCodec.bytes(), options);
        Opening opening = new Opening(map, number);
        IntStream.range(0, KEYS).forEach(key -> map.set((long) key, value(opening, key, lengthMax(key))));
        return opening;
    }

    /** Returns a value whose words are all the same, and name its key and its opening. */
    private static byte[] value(Opening opening, long key, int length) {
        byte[] bytes = new byte[Math.max(16, length & -8)];
        MemorySegment words = MemorySegment.ofArray(bytes);
        for (int at = 0; at < bytes.length; at += 8) {
            words.set(ValueLayout.JAVA_LONG_UNALIGNED, at, opening.number << 32 | key);
        }
        return bytes;
    }

    /** Returns the greatest length for a key. A few values take long to copy, so that much happens meanwhile. */
    private static int lengthMax(long key) {
        return key % 32 == 0 ? LENGTH_MAX : SHORT_MAX;
    }

    @Test
    void findValuesOrNothing() throws Exception {
        try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
            List<Future<?>> running = IntStream.range(0, READERS)
                    .<Future<?>>mapToObj(reader -> readers.submit(() -> read(reader)))
                    .toList();
            try {
                for (long number = 1; reads.sum() < READS && running.stream().noneMatch(Future::isDone); number++) {
                    putOver(current, number);
                    Opening former = current;
                    current = open(number);
                    former.map.close();
                }
            } finally {
                done.set(true);
                current.map.close();
            }
            for (Future<?> reader : running) {
                reader.get();
            }
        }
        assertThat(reads.sum()).isPositive();
    }

    private static void putOver(Opening opening, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int put = 0; put < PUTS; put++) {
            long key = random.nextInt(KEYS);
            opening.map.set(key, value(opening, key, random.nextInt(lengthMax(key))));
        }
    }

    private void read(int reader) {
        SplittableRandom random = new SplittableRandom(reader);
        MemorySegment target = MemorySegment.ofArray(new byte[LENGTH_MAX]);
        while (!done.get()) {
            Opening opening = current;
            try {
                for (int read = 0; read < 1000; read++) {
                    check(opening, random.nextInt(KEYS), target, random);
                }
            } catch (ClosedException e) {
                assertThat(done.get() || current.number != opening.number).isTrue();
            }
            reads.add(1000);
        }
    }

    private static void check(Opening opening, long key, MemorySegment target, SplittableRandom random) {
        long expected = opening.number << 32 | key;
        if (random.nextInt(4) == 0) {
            assertThat(opening.map.containsKey(key)).isTrue();
        } else {
            int length = opening.map.get(key, target, 0);
            assertThat(length).isBetween(16, LENGTH_MAX);
            for (int at = 0; at < length; at += 8) {
                long found = target.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
                if (found != expected) {
                    throw new AssertionError("key " + key + " of opening " + opening.number + ", at " + at + " of "
                            + length
                            + ": " + Long.toHexString(found) + " in "
                            + Arrays.toString(target.asSlice(0, length).toArray(ValueLayout.JAVA_LONG_UNALIGNED)));
                }
            }
        }
    }
}
