package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.entry.KeyGroup;
import dev.larder.tests.support.Samples;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several threads change a map under little space, so that its log is written many times over, while others read it in every way.
 * Each value names its key and its version. No reader sees an older version than one that it, or a put that had returned, has
 * seen. The soak profile runs ten times as much.
 */
@Timeout(1800)
final class ChurnTest {

    private static final int SCALE = Boolean.getBoolean("larder.soak") ? 10 : 1;
    private static final long MIB = 1 << 20;
    private static final int WRITERS = 3;
    private static final int KEYS = 2000;
    private static final int LENGTH_MAX = 2000;
    private static final long NONE = 0;

    @TempDir
    Path directory;

    /** The version of each key, which one thread writes: before the put, and after it has returned. */
    private final AtomicLongArray begun = new AtomicLongArray(KEYS);

    private final AtomicLongArray returned = new AtomicLongArray(KEYS);
    private final AtomicBoolean done = new AtomicBoolean();
    private volatile long coldKeyBytesMax;

    private static byte[] value(long key, long version) {
        SplittableRandom random = new SplittableRandom(key << 32 ^ version);
        byte[] value = new byte[16 + random.nextInt(LENGTH_MAX)];
        Samples.fill(ByteBuffer.wrap(value).putLong(key).putLong(version), random.nextLong());
        return value;
    }

    private static boolean isRemoval(long version) {
        return version % 7 == 0;
    }

    private void write(LarderMap<Long, byte[]> map, int writer, long bytes) {
        SplittableRandom random = new SplittableRandom(writer);
        for (long written = 0; written < bytes; ) {
            int key = random.nextInt(KEYS / WRITERS) * WRITERS + writer;
            long version = begun.incrementAndGet(key);
            if (isRemoval(version)) {
                map.remove((long) key);
            } else {
                byte[] value = value(key, version);
                written += value.length;
                put(map, key, value, random.nextBoolean());
            }
            returned.set(key, version);
        }
    }

    private void put(LarderMap<Long, byte[]> map, int key, byte[] value, boolean blindly) {
        if (blindly) {
            map.set((long) key, value);
        } else {
            requireVersion(key, map.put((long) key, value), returned.get(key), returned.get(key));
        }
    }

    private static long version(int key, byte[] value) {
        ByteBuffer buffer = ByteBuffer.wrap(value);
        assertThat(buffer.getLong()).isEqualTo(key);
        long version = buffer.getLong();
        assertThat(value).isEqualTo(value(key, version));
        return version;
    }

    /** A null value stands for the removal of some version. */
    private static void requireVersion(int key, byte @Nullable [] value, long least, long most) {
        if (value == null) {
            boolean removed = least == NONE;
            for (long version = Math.max(1, least); version <= most; version++) {
                removed |= isRemoval(version);
            }
            assertThat(removed)
                    .as("key %s is gone between versions %s and %s", key, least, most)
                    .isTrue();
        } else {
            assertThat(version(key, value)).as("key %s", key).isBetween(least, most);
        }
    }

    private void read(LarderMap<Long, byte[]> map, int reader) {
        SplittableRandom random = new SplittableRandom(100 + reader);
        while (!done.get()) {
            int key = random.nextInt(KEYS);
            long least = returned.get(key);
            byte @Nullable [] value = switch (random.nextInt(5)) {
                case 0 -> map.get((long) key);
                case 4 -> getInto(map, key);
                case 1 -> readAlone(map, key);
                case 2 -> getAmongOthers(map, key);
                default -> readAmongOthers(map, key);
            };
            requireVersion(key, value, least, begun.get(key));
        }
    }

    private static byte @Nullable [] getInto(LarderMap<Long, byte[]> map, long key) {
        byte[] into = new byte[16 + LENGTH_MAX];
        int length = map.get(key, MemorySegment.ofArray(into), 0);
        return length < 0 ? null : Arrays.copyOf(into, length);
    }

    private static byte @Nullable [] readAlone(LarderMap<Long, byte[]> map, long key) {
        List<byte[]> value = new ArrayList<>(1);
        map.read(key, (segment, offset, length) -> value.add(copy(segment, offset, length)));
        return value.isEmpty() ? null : value.getFirst();
    }

    /** Returns the keys from one on, as many as a group takes, and some more. */
    private static List<Long> others(long key) {
        return LongStream.range(key, key + KeyGroup.SIZE + 8)
                .map(number -> number % KEYS)
                .boxed()
                .toList();
    }

    private static byte @Nullable [] getAmongOthers(LarderMap<Long, byte[]> map, long key) {
        Map<Long, byte[]> found = map.getAll(others(key));
        found.forEach((other, value) -> version((int) (long) other, value));
        return found.get(key);
    }

    private static byte @Nullable [] readAmongOthers(LarderMap<Long, byte[]> map, long key) {
        List<byte[]> value = new ArrayList<>(1);
        map.readAll(others(key), (other, segment, offset, length) -> {
            byte[] copy = copy(segment, offset, length);
            version((int) (long) other, copy);
            if (other == key) {
                value.add(copy);
            }
        });
        return value.isEmpty() ? null : value.getFirst();
    }

    private static byte[] copy(MemorySegment segment, long offset, int length) {
        return segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private void iterate(LarderMap<Long, byte[]> map) {
        while (!done.get()) {
            long[] least = new long[KEYS];
            for (int key = 0; key < KEYS; key++) {
                least[key] = returned.get(key);
            }
            Set<Long> seen = new HashSet<>();
            for (Map.Entry<Long, byte[]> entry : map.entrySet()) {
                int key = (int) (long) entry.getKey();
                assertThat(seen.add(entry.getKey()))
                        .as("key %s comes once", key)
                        .isTrue();
                assertThat(version(key, entry.getValue())).isBetween(least[key], begun.get(key));
            }
        }
    }

    private void checkpoint(LarderMap<Long, byte[]> map) {
        while (!done.get()) {
            map.checkpoint();
            coldKeyBytesMax = Math.max(coldKeyBytesMax, map.info().coldKeyBytes());
        }
    }

    private void run(LogOptions options, Cleaning cleaning, long bytes) throws Exception {
        try (LarderMap<Long, byte[]> map = LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(options).withCleaning(cleaning))) {
            inThreads(map, bytes);
            requireAll(map);
            MapSpace space = map.info().space();
            assertThat(space.failure()).isEmpty();
            assertThat(space.cleanedBytes()).isGreaterThan(bytes / 2);
            assertThat(space.fileBytes())
                    .isLessThanOrEqualTo(cleaning.maxBytes().orElseThrow() + 2 * MIB);
        }
        try (LarderMap<Long, byte[]> map = LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(options).withCleaning(cleaning))) {
            requireAll(map);
        }
    }

    private void inThreads(LarderMap<Long, byte[]> map, long bytes) throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> writers = new ArrayList<>();
            List<Future<?>> others = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                writers.add(threads.submit(() -> write(map, writer, bytes / WRITERS)));
            }
            others.add(threads.submit(() -> read(map, 0)));
            others.add(threads.submit(() -> iterate(map)));
            others.add(threads.submit(() -> checkpoint(map)));
            try {
                for (Future<?> writer : writers) {
                    writer.get();
                }
            } finally {
                done.set(true);
            }
            for (Future<?> other : others) {
                other.get();
            }
        }
    }

    private void requireAll(LarderMap<Long, byte[]> map) {
        long entries = 0;
        for (int key = 0; key < KEYS; key++) {
            long version = returned.get(key);
            byte @Nullable [] value = map.get((long) key);
            assertThat(value == null).as("key %s", key).isEqualTo(version == NONE || isRemoval(version));
            requireVersion(key, value, version, version);
            entries += value == null ? 0 : 1;
        }
        assertThat(map.longSize()).isEqualTo(entries);
    }

    /** About 1.7 MiB are alive, so the log is written fifty times over. */
    @Test
    void losesNothingUnderLittleSpace() throws Exception {
        run(TestMaps.options(), Cleaning.defaults().withMaxBytes(16 * MIB), SCALE * (100 * MIB));
    }

    /** No page is ever in memory, so most puts find the keys that they overwrite in memory kept for keys. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void losesNothingOfWhatIsNotInMemory(boolean background) throws Exception {
        Cleaning cleaning = Cleaning.defaults().withMaxBytes(16 * MIB).withBackground(background);
        run(HookedOptions.withStorage(TestMaps.options(), new AbsentStorage()), cleaning, SCALE * (25 * MIB));
        assertThat(coldKeyBytesMax).as("keys were kept").isPositive();
    }

    /** Only the writers clean, in each mode of integrity. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void losesNothingWhereWritersClean(IntegrityMode integrity) throws Exception {
        Cleaning byWriters = Cleaning.defaults().withMaxBytes(16 * MIB).withBackground(false);
        run(TestMaps.options().withIntegrity(integrity), byWriters, SCALE * (25 * MIB));
    }
}
