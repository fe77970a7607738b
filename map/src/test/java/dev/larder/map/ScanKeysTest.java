package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.map.format.KeyHash;
import dev.larder.map.format.Placement;
import dev.larder.map.shared.MapFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans by a cursor, while the index changes between two calls. */
@Tag("any-storage")
@Timeout(300)
final class ScanKeysTest {

    /** All keys are of one partition, so that a few of them are enough to split its pages. */
    private static final int PARTITION = 5;

    private static final int STAYING = 3000;
    private static final int OTHERS = 20_000;
    private static final int CHANGES_MAX = 4;

    @TempDir
    Path directory;

    @Test
    void aScanOfAMapThatDoesNotChangePassesEachKeyOnce() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            putStaying(map);
            List<Long> found = new ArrayList<>();
            long cursor = 0;
            do {
                int before = found.size();
                cursor = map.scanKeys(cursor, 500, found::add);
                assertThat(cursor == 0 || found.size() - before >= 500).isTrue();
            } while (cursor != 0);
            assertThat(found).hasSize(STAYING).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aKeyThatStaysIsPassedOnHoweverTheIndexGrowsAndShrinks(long seed) {
        Random random = new Random(seed);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            long[] keys = keys(STAYING + OTHERS);
            put(map, keys, 0, STAYING);
            boolean large = random.nextBoolean();
            change(map, keys, large);
            Set<Long> found = new HashSet<>();
            long cursor = 0;
            int changes = 0;
            do {
                cursor = map.scanKeys(cursor, 1 + random.nextInt(STAYING / 4), found::add);
                if (changes < CHANGES_MAX && random.nextInt(2) == 0) {
                    changes++;
                    large = !large;
                    change(map, keys, large);
                }
            } while (cursor != 0);
            assertThat(changes).isPositive();
            assertThat(found).contains(boxed(keys, STAYING));
        }
    }

    @Test
    void aScanGoesOnAfterARestartThatMakesTheIndexAnew() {
        Set<Long> found = new HashSet<>();
        long[] keys;
        long cursor;
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            keys = keys(STAYING + OTHERS);
            put(map, keys, 0, keys.length);
            cursor = map.scanKeys(0, keys.length / 2, found::add);
            assertThat(cursor).isNotZero();
        }
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            while (cursor != 0) {
                cursor = map.scanKeys(cursor, 1000, found::add);
            }
        }
        assertThat(found).containsExactlyInAnyOrder(boxed(keys, keys.length));
    }

    @Test
    void aScanMayBeginAnywhereAndANumberThatIsNoCursorIsRefused() {
        Random random = new Random(4);
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            putStaying(map);
            for (int i = 0; i < 1000; i++) {
                long cursor = LarderMap.randomCursor(random);
                assertThat(LarderMap.isCursor(cursor)).isTrue();
                List<Long> found = new ArrayList<>();
                long next = map.scanKeys(cursor, 1, found::add);
                assertThat(next == 0 || next > cursor).isTrue();
                assertThat(next == 0 || !found.isEmpty()).isTrue();
            }
            for (long number : new long[] {-1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40}) {
                assertThat(LarderMap.isCursor(number)).isFalse();
                assertThatThrownBy(() -> map.scanKeys(number, 1, key -> {}))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(number + " is not a cursor of a scan");
            }
        }
    }

    @Test
    void anEmptyMapEndsAtOnce() {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            assertThat(map.scanKeys(0, 1, key -> {
                        throw new AssertionError(key);
                    }))
                    .isZero();
        }
    }

    private static void putStaying(LarderMap<Long, Long> map) {
        for (long key = 0; key < STAYING; key++) {
            map.set(key, key);
        }
    }

    /** Returns keys that fall into one partition of the index. */
    private long[] keys(int count) {
        long mapSeed = MapFile.read(directory, TestMaps.storage()).seed();
        return LongStream.iterate(1, key -> key + 1)
                .filter(key -> Placement.partition(KeyHash.ofWord(key, mapSeed)) == PARTITION)
                .limit(count)
                .toArray();
    }

    private static Long[] boxed(long[] keys, int count) {
        return LongStream.of(keys).limit(count).boxed().toArray(Long[]::new);
    }

    private static void put(LarderMap<Long, Long> map, long[] keys, int from, int to) {
        for (int i = from; i < to; i++) {
            map.set(keys[i], keys[i]);
        }
    }

    /** Puts so many other keys that pages split, or removes them, so that the pages merge again. */
    private static void change(LarderMap<Long, Long> map, long[] keys, boolean large) {
        if (large) {
            put(map, keys, STAYING, keys.length);
            assertThat(map.info().indexSteps()).isGreaterThan(Placement.PARTITIONS);
        } else {
            for (int i = STAYING; i < keys.length; i++) {
                map.delete(keys[i]);
            }
            map.compact();
        }
    }
}
