package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several threads on one map, while its index grows. Full counts in the soak profile. */
@Timeout(600)
final class ThreadsTest {

    private static final int THREADS = 4;
    private static final int SCALE = Boolean.getBoolean("larder.soak") ? 50 : 1;

    @TempDir
    Path directory;

    private static void inThreads(IntConsumer work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                all.add(threads.submit(() -> work.accept(thread)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    @Test
    void losesNoIncrement() throws Exception {
        int rounds = 20_000 * SCALE;
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            inThreads(thread -> {
                for (int i = 0; i < rounds; i++) {
                    map.merge((long) (i % 7), 1L, Long::sum);
                    map.set((thread + 1L) << 32 | i, 0L); // and the index grows
                }
            });
            long sum = 0;
            for (long key = 0; key < 7; key++) {
                sum += map.getOrDefault(key, 0L);
            }
            assertThat(sum).isEqualTo((long) THREADS * rounds);
        }
    }

    @Test
    void letsOneOfThemPutFirst() throws Exception {
        int keys = 60_000 * SCALE;
        AtomicLong first = new AtomicLong();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            inThreads(thread -> {
                for (long key = 0; key < keys; key++) {
                    if (map.putIfAbsent(key, (long) thread) == null) {
                        first.incrementAndGet();
                    }
                }
            });
            assertThat(first).hasValue(keys);
            assertThat(map.longSize()).isEqualTo(keys);
        }
    }

    /**
     * Each value is put only once, and a put or a removal returns the value that it replaced. So the changes of a key form one
     * chain, in which every value but the last was replaced once. A value that was lost, or came back, breaks the chain.
     */
    @Test
    void changesEachKeyInOneOrder() throws Exception {
        int rounds = 60_000 * SCALE;
        int keys = 500;
        List<Map<Long, Long>> replaced = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            replaced.add(new HashMap<>()); // value: key
        }
        Map<Long, Long> last;
        AtomicLong puts = new AtomicLong();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            inThreads(thread -> {
                Random random = new Random(thread);
                for (int i = 0; i < rounds; i++) {
                    long key = random.nextInt(keys);
                    Long before;
                    if (random.nextInt(3) == 0) {
                        before = map.remove(key);
                    } else {
                        puts.incrementAndGet();
                        before = map.put(key, (long) thread << 32 | i);
                    }
                    if (before != null) {
                        assertThat(replaced.get(thread).put(before, key)).isNull();
                    }
                    map.set(1_000_000L + ((long) thread << 32) + i, 0L); // and the index grows
                }
            });
            last = new HashMap<>();
            for (long key = 0; key < keys; key++) {
                Long value = map.get(key);
                if (value != null) {
                    last.put(value, key);
                }
            }
        }
        Set<Long> all = new HashSet<>(last.keySet());
        for (Map<Long, Long> one : replaced) {
            one.keySet()
                    .forEach(value -> assertThat(all.add(value))
                            .as("value %x was replaced twice", value)
                            .isTrue());
        }
        assertThat(all).hasSize((int) puts.get());
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            last.forEach((value, key) -> assertThat(map.get(key)).isEqualTo(value));
        }
    }

    /** Readers find existing entries throughout, whatever is rebuilt under them, and never an older value than before. */
    @Test
    void readsOnWhileTheIndexGrows() throws Exception {
        long there = 10_000;
        AtomicBoolean done = new AtomicBoolean();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            for (long key = 0; key < there; key++) {
                map.set(key, 0L);
            }
            inThreads(thread -> {
                if (thread == 0) {
                    grow(map, there);
                    done.set(true);
                } else {
                    watch(map, there, thread, done);
                }
            });
        }
    }

    private static void grow(LarderMap<Long, Long> map, long there) {
        for (long i = 1; i < 400_000L * SCALE; i++) {
            map.set(there + i, i);
            map.set(i % there, i);
        }
    }

    private static void watch(LarderMap<Long, Long> map, long there, int seed, AtomicBoolean done) {
        Map<Long, Long> seen = new HashMap<>();
        Random random = new Random(seed);
        while (!done.get()) {
            long key = random.nextInt((int) there);
            Long value = map.get(key);
            assertThat(value).as("key %s", key).isNotNull();
            assertThat(value).isGreaterThanOrEqualTo(seen.getOrDefault(key, 0L));
            seen.put(key, value);
        }
    }

    /** One thread runs all operations, and compares the results with those of the platform's map. */
    @Test
    void doesWhatTheMapOfThePlatformDoes() {
        for (int seed = 0; seed < 5 * SCALE; seed++) {
            Random random = new Random(seed);
            Map<Long, Long> expected = new ConcurrentHashMap<>();
            try (LarderMap<Long, Long> map = TestMaps.longs(directory.resolve("seed" + seed))) {
                for (int i = 0; i < 20_000; i++) {
                    step(random.nextInt(10), random.nextInt(200), random.nextInt(5), map, expected, seed);
                }
                assertThat(map).as("seed %s", seed).isEqualTo(expected);
                assertThat(map.longSize()).as("seed %s", seed).isEqualTo(expected.size());
            }
        }
    }

    private static void step(
            int kind, long key, long value, LarderMap<Long, Long> map, Map<Long, Long> expected, int seed) {
        Object found = apply(kind, key, value, map);
        assertThat(found)
                .as("operation %s of key %s and value %s, seed %s", kind, key, value, seed)
                .isEqualTo(apply(kind, key, value, expected));
    }

    private static Object apply(int kind, long key, long value, Map<Long, Long> map) {
        return String.valueOf(
                switch (kind) {
                    case 0 -> map.put(key, value);
                    case 1 -> map.get(key);
                    case 2 -> map.remove(key);
                    case 3 -> map.putIfAbsent(key, value);
                    case 4 -> map.replace(key, value);
                    case 5 -> map.replace(key, value, value + 1);
                    case 6 -> map.remove(key, value);
                    case 7 -> map.merge(key, value, (one, other) -> one + other > 20 ? null : one + other);
                    case 8 -> map.computeIfPresent(key, (same, there) -> there % 2 == 0 ? null : there + value);
                    default -> map.computeIfAbsent(key, absent -> value == 0 ? null : value);
                });
    }
}
