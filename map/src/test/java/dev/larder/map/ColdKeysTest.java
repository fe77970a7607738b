package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts over entries that are not in memory. The storage reports every page as absent, and counts the loads. */
@Timeout(300)
final class ColdKeysTest {

    private static final int ENTRIES = 20_000;
    private static final int VALUE_BYTES = 500;

    /** The distance of existing keys, so that each absent key is looked up in vain among others. */
    private static final int STRIDE = 2;

    private static final int PASS = 1000;

    @TempDir
    Path directory;

    @BeforeEach
    void requireTime() {
        assumeTrue(
                Boolean.getBoolean("larder.soak") || TestMaps.storage().isNative(),
                "takes six times as long without native calls: in the long run (-Psoak) only");
    }

    private final AbsentStorage storage = new AbsentStorage();
    private final int[] versions = new int[STRIDE * ENTRIES];

    private LarderMap<Long, byte[]> open(ColdKeys keys) {
        LogOptions log = HookedOptions.withStorage(TestMaps.options(), storage);
        return LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(log).withColdKeys(keys));
    }

    private static byte[] value(long key, int version, int length) {
        return ByteBuffer.allocate(length).putLong(key).putInt(version).array();
    }

    private static byte[] value(long key, int version) {
        return value(key, version, VALUE_BYTES + (int) (key % 50));
    }

    private static List<Long> shuffled() {
        List<Long> keys = new ArrayList<>(
                LongStream.range(0, ENTRIES).map(key -> key * STRIDE).boxed().toList());
        Collections.shuffle(keys, new Random(1));
        return keys;
    }

    private static void fill(LarderMap<Long, byte[]> map) {
        shuffled().forEach(key -> map.set(key, value(key, 0)));
        map.sync();
    }

    /** Looks up every key. One lookup in 128 checks its page, and these are enough for one to do so. */
    private static void notice(LarderMap<Long, byte[]> map) {
        shuffled().forEach(key -> assertThat(map.containsKey(key)).isTrue());
    }

    /** Overwrites a thousand entries at a time until the puts load next to no pages. */
    private void overwriteUntilKept(LarderMap<Long, byte[]> map) throws InterruptedException {
        double each = 1;
        for (int from = 0; each > 0.1; from = (from + PASS) % ENTRIES) {
            long before = storage.broughtIn();
            shuffled().subList(from, from + PASS).forEach(key -> overwrite(map, key));
            each = (double) (storage.broughtIn() - before) / PASS;
            map.sync();
            Thread.sleep(10); // meanwhile the map's thread makes the kept keys
        }
    }

    private void overwrite(LarderMap<Long, byte[]> map, long key) {
        map.set(key, value(key, ++versions[(int) key]));
    }

    private byte[] expected(long key) {
        return value(key, versions[(int) key]);
    }

    @Test
    void aPutOverWhatIsNotInMemoryWaitsForNoDisk() throws Exception {
        try (LarderMap<Long, byte[]> map = open(ColdKeys.defaults())) {
            fill(map);
            assertThat(map.info().coldKeyBytes()).isZero();
            notice(map);
            overwriteUntilKept(map);
            assertThat(map.info().coldKeyBytes()).isBetween(24L * ENTRIES / 2, 24L * 4 * ENTRIES);
            for (long key : shuffled()) {
                assertThat(map.get(key)).isEqualTo(expected(key));
            }
            for (long key : shuffled().subList(0, PASS)) {
                byte[] before = expected(key);
                versions[(int) key]++;
                assertThat(map.put(key, expected(key))).isEqualTo(before);
                assertThat(map.get(key)).isEqualTo(expected(key));
            }
            assertThat(map).hasSize(ENTRIES);
            assertThat(map.info().space().liveBytes()).isEqualTo(live());
        }
        try (LarderMap<Long, byte[]> map = open(ColdKeys.none())) {
            shuffled().forEach(key -> assertThat(map.get(key)).hasSize(VALUE_BYTES + (int) (key % 50)));
        }
    }

    /** Returns the bytes of all records: 8 for the word, 4 of header, 8 of key, and the value, rounded up to 8. */
    private static long live() {
        return shuffled().stream()
                .mapToLong(key -> (8 + 4 + 8 + VALUE_BYTES + key % 50 + 7) & -8)
                .sum();
    }

    /** The control: without kept keys, puts load pages, each of some ten records. */
    @Test
    void withoutThemEachPutWaits() {
        try (LarderMap<Long, byte[]> map = open(ColdKeys.none())) {
            fill(map);
            notice(map);
            for (int version = 1; version < 4; version++) {
                long before = storage.broughtIn();
                for (long key : shuffled().subList(0, PASS)) {
                    map.set(key, value(key, version));
                }
                assertThat(storage.broughtIn() - before).isGreaterThan(PASS / 20);
            }
            assertThat(map.info().coldKeyBytes()).isZero();
        }
    }

    @Test
    void findsTheSameByThem() throws Exception {
        Map<Long, byte[]> expected = new TreeMap<>();
        try (LarderMap<Long, byte[]> map = open(ColdKeys.defaults())) {
            fill(map);
            overwriteUntilKept(map);
            shuffled().forEach(key -> expected.put(key, expected(key)));
            Random random = new Random(2);
            for (int i = 0; i < 20_000; i++) {
                long key = random.nextInt(STRIDE * ENTRIES);
                assertThat(map.containsKey(key)).isEqualTo(expected.containsKey(key));
                change(map, expected, key, random.nextInt(4), i);
            }
            map.compact();
            assertThat(map).hasSize(expected.size());
            expected.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        }
    }

    private static void change(
            LarderMap<Long, byte[]> map, Map<Long, byte[]> expected, long key, int how, int version) {
        switch (how) {
            case 0 -> assertThat(map.remove(key)).isEqualTo(expected.remove(key));
            case 1 -> {
                map.putAll(Map.of(key, value(key, version)));
                expected.put(key, value(key, version));
            }
            case 2 -> {
                map.set(key, value(key, version, 300));
                expected.put(key, value(key, version, 300));
            }
            default -> {
                byte[] before = map.put(key, value(key, version));
                assertThat(before).isEqualTo(expected.put(key, value(key, version)));
            }
        }
    }

    /** A put reads the removed value for the listener, by a call. */
    @Test
    void tellsAListenerWhatWasThere() throws Exception {
        try (LarderMap<Long, byte[]> map = open(ColdKeys.defaults())) {
            fill(map);
            overwriteUntilKept(map);
            List<byte[]> gone = new ArrayList<>();
            map.listener((key, value, cause) -> gone.add(value));
            long before = storage.broughtIn();
            for (long key : shuffled().subList(0, PASS)) {
                byte[] there = expected(key);
                overwrite(map, key);
                assertThat(gone.removeLast()).isEqualTo(there);
            }
            assertThat(storage.broughtIn() - before).isGreaterThan(PASS / 20);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 300_000})
    void takesNoMoreMemoryThanItMay(long most) throws Exception {
        try (LarderMap<Long, byte[]> map = open(ColdKeys.within(most))) {
            fill(map);
            long kept = 0;
            for (int version = 1; version < 8 || kept == 0; version++) {
                for (long key : shuffled()) {
                    map.set(key, value(key, version));
                }
                kept = Math.max(kept, map.info().coldKeyBytes());
                assertThat(kept).isLessThanOrEqualTo(most);
            }
        }
        assertThatThrownBy(() -> ColdKeys.within(-1)).hasMessageContaining("-1").hasMessageContaining("least is 0");
    }

    /** If the keys are nearly as large as the values, keeping them gains nothing. */
    @Test
    void keepsNoneOfSmallEntries() {
        try (LarderMap<Long, byte[]> map = open(ColdKeys.defaults())) {
            for (int version = 1; version < 5; version++) {
                for (long key : shuffled()) {
                    map.set(key, value(key, version, 64));
                }
                map.sync();
                assertThat(map.info().coldKeyBytes()).isZero();
            }
        }
    }

    /** The map keeps no keys of a damaged segment. A reader finds the damage there, as ever. */
    @Test
    void keepsNoneOfWhatIsDamaged() throws Exception {
        try (LarderMap<Long, byte[]> map = open(ColdKeys.none())) {
            fill(map);
        }
        Path segment = directory.resolve("0000000001.seg");
        assertThat(segment).exists();
        FlippedBit.in(segment, 1_000_000);
        try (LarderMap<Long, byte[]> map = open(ColdKeys.defaults())) {
            int damaged = 0;
            for (int round = 1; round < 4; round++) {
                damaged = 0;
                for (long key : shuffled()) {
                    damaged += isRefused(map, key, round) ? 1 : 0;
                }
                map.sync();
            }
            assertThat(damaged).as("all of a block").isBetween(1, (1 << 20) / VALUE_BYTES);
            assertThat(map.info().coldKeyBytes()).isPositive();
        }
    }

    private static boolean isRefused(LarderMap<Long, byte[]> map, long key, int version) {
        try {
            map.set(key, value(key, version));
            return false;
        } catch (CorruptException e) {
            assertThat(e).hasMessageContaining("0000000001.seg");
            return true;
        }
    }
}
