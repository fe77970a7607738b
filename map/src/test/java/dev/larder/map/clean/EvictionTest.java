package dev.larder.map.clean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.RemovalCause;
import dev.larder.map.StoredMap;
import dev.larder.map.TestMaps;
import dev.larder.tests.support.Samples;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A map with a limit of bytes, in which entries that are not read are evicted. */
@Timeout(120)
@Tag("any-storage")
final class EvictionTest {

    private static final long MIB = 1 << 20;
    private static final long MOST_BYTES = 24 * MIB;
    private static final int VALUE_BYTES = 1000;

    @TempDir
    Path directory;

    private LarderMap<Long, byte[]> open(Cleaning cleaning) {
        MapOptions options = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(cleaning)
                .withCounted(true);
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options);
    }

    private static byte[] value(long key) {
        return Samples.bytes(key, VALUE_BYTES);
    }

    private static void requireBounded(LarderMap<Long, byte[]> map) {
        assertThat(map.info().space().fileBytes()).isLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    void staysWithinItsBytes() {
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(MOST_BYTES))) {
            long keys = 80_000;
            for (long key = 0; key < keys; key++) {
                map.set(key, value(key));
                if (key % 1000 == 0) {
                    requireBounded(map);
                }
            }
            long evicted = map.info().space().evicted();
            long kept = map.longSize(); // the cleaner may still be at its last segment
            assertThat(kept * VALUE_BYTES).as("fills what it is given").isGreaterThan(MOST_BYTES / 2);
            assertThat(keys - kept).isBetween(evicted, map.info().space().evicted() + 1);
            assertThat(map.info().space().writeAmplification()).isLessThan(1.1);
            for (long key = 0; key < keys; key++) {
                byte[] found = map.get(key);
                assertThat(found == null || Arrays.equals(found, value(key)))
                        .as("key %s", key)
                        .isTrue();
            }
            assertThat(map.info().hits()).isBetween(map.longSize(), kept);
            assertThat(map.info().hits() + map.info().misses()).isEqualTo(keys);
        }
    }

    /** Segments are large relative to the smallest possible limit, but one can always be freed. */
    @Test
    void neverRunsOutOfRoomWithTheLeastThereIs() {
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(16 * MIB))) {
            Random random = new Random(1);
            byte[] value = value(0);
            for (int i = 0; i < 300_000; i++) {
                long key = (long) (200_000 * Math.pow(random.nextDouble(), 3)); // some keys are read again and again
                if (!map.containsKey(key)) {
                    map.set(key, value);
                }
            }
            assertThat(map.longSize() * VALUE_BYTES).isGreaterThan(5 * MIB);
            assertThat(map.info().space().fileBytes()).isLessThanOrEqualTo(16 * MIB);
        }
    }

    /** Entries that are read in each turn of the log stay. A scan of more entries than fit does not displace them. */
    @Test
    void keepsWhatIsOfUse() {
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(MOST_BYTES))) {
            int hot = 3000;
            for (long key = 0; key < hot; key++) {
                map.set(key, value(key));
            }
            for (long key = hot; key < 80_000; key++) {
                map.set(key, value(key));
                map.get(key % hot);
            }
            int kept = 0;
            for (long key = 0; key < hot; key++) {
                kept += map.containsKey(key) ? 1 : 0;
            }
            assertThat(kept).isEqualTo(hot);
            requireBounded(map);
        }
    }

    /** An entry used for some turns of the log stays for as many without a read, over an overwrite and a reopening. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void remembersWhatWasOfUse(boolean overwritten) {
        long hot = 2000;
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(MOST_BYTES))) {
            for (long key = 0; key < 120_000; key++) {
                map.set(key, value(key));
                map.get(key % hot);
            }
            for (long key = 0; overwritten && key < hot; key++) {
                map.set(key, value(key));
            }
        }
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(MOST_BYTES))) {
            scan(map, 200_000, 45_000);
            assertThat(kept(map, hot)).as("after two turns").isEqualTo(hot);
            scan(map, 300_000, 150_000);
            assertThat(kept(map, hot)).as("after six more").isZero();
        }
    }

    private static void scan(LarderMap<Long, byte[]> map, long first, int count) {
        for (long key = first; key < first + count; key++) {
            map.set(key, value(key));
        }
    }

    /** Returns how many of the first keys are present, without reading their entries. */
    private static long kept(LarderMap<Long, byte[]> map, long keys) {
        return map.keySet().stream().filter(key -> key < keys).count();
    }

    /** A map whose every entry is in use makes room as well, and no writer waits for ever. */
    @Test
    void makesRoomThoughAllIsOfUse() {
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(MOST_BYTES))) {
            for (long key = 0; key < 50_000; key++) {
                map.set(key, value(key));
                for (long before = Math.max(0, key - 3); before <= key; before++) {
                    map.get(before);
                }
                if (key % 10_000 == 0) {
                    map.keySet().forEach(map::get);
                }
            }
            requireBounded(map);
            assertThat(map.get(49_999L)).isEqualTo(value(49_999));
        }
    }

    /** Overwrites of entries that fit evict nothing. */
    @Test
    void evictsNothingThatFits() {
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(MOST_BYTES))) {
            Random random = new Random(1);
            for (int i = 0; i < 80_000; i++) {
                long key = random.nextInt(6_000);
                map.set(key, value(key));
            }
            assertThat(map.info().space().evicted()).isZero();
            requireBounded(map);
        }
    }

    @Test
    void isTheSameAfterAReopening() {
        Set<Long> before;
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(MOST_BYTES))) {
            for (long key = 0; key < 50_000; key++) {
                map.set(key, value(key));
            }
        }
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(MOST_BYTES))) {
            before = new HashSet<>(map.keySet());
            assertThat(before).hasSizeGreaterThan(10_000);
            for (long key = 50_000; key < 80_000; key++) {
                map.set(key, value(key));
            }
            requireBounded(map);
        }
        try (StoredMap stored = StoredMap.open(directory, TestMaps.options())) {
            assertThat(stored.verify().problems()).isEmpty();
        }
    }

    /** The listener is told of each evicted entry once, with its value. */
    @Test
    void tellsWhatWent() {
        Set<Long> gone = ConcurrentHashMap.newKeySet();
        try (LarderMap<Long, byte[]> map = open(Cleaning.evicting(MOST_BYTES))) {
            AtomicInteger wrong = new AtomicInteger();
            map.listener((key, value, cause) -> {
                boolean right = cause == RemovalCause.EVICTED && Arrays.equals(value, value(key)) && gone.add(key);
                wrong.addAndGet(right ? 0 : 1);
            });
            for (long key = 0; key < 50_000; key++) {
                map.set(key, value(key));
            }
            map.compact();
            assertThat(wrong).hasValue(0);
            int told = gone.size();
            assertThat(50_000 - map.size()).isBetween(told, gone.size() + 1);
            assertThat(gone.stream().noneMatch(map::containsKey)).isTrue();
        }
    }

    @Test
    void needsABound() {
        assertThatThrownBy(() -> new Cleaning(2, OptionalLong.empty(), true, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set maxBytes");
    }
}
