package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The bytes that an entry takes beside its key and its value, in its record and in the index. They are counted, not timed.
 *
 * <pre>
 *  record   word 8 | header 4, or 8 with expiry | key | value | up to 7, to a multiple of 8
 *  index    a word of 8 in a page of 64 KiB that is 45 to 90 % full; pages that wait to be used again count, too
 * </pre>
 */
@Tag(Effort.LONG)
@Timeout(300)
final class OverheadTest {

    private static final int ENTRIES = 600_000;
    private static final int KEY_BYTES = Long.BYTES;

    @TempDir
    Path directory;

    @BeforeEach
    void requireTime() {
        boolean isNative = System.getProperty("larder.test.storage", "system").equals("system");
        assumeTrue(isNative || Boolean.getBoolean("larder.soak"), "without native calls in the long run (-Psoak) only");
    }

    /** The overhead of an entry, in bytes. */
    private record Overhead(double index, double record) {

        static Overhead of(LarderMap<Long, byte[]> map, int valueBytes) {
            MapInfo info = map.info();
            double entries = info.entries();
            double records = info.space().liveBytes() / entries;
            return new Overhead(info.indexSteps() * IndexPageLayout.BYTES / entries, records - KEY_BYTES - valueBytes);
        }

        double whole() {
            return index + record;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f in the index, %.1f in the record", index, record);
        }
    }

    private LarderMap<Long, byte[]> open(boolean expiring) {
        Lifetime lifetime = expiring ? Lifetime.sinceWrite(Duration.ofDays(1)) : Lifetime.endless();
        MapOptions options = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withBackground(false))
                .withLifetime(lifetime);
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options);
    }

    private static void set(LarderMap<Long, byte[]> map, byte[] value) {
        for (long key = 0; key < ENTRIES; key++) {
            map.set(key, value);
        }
    }

    private static void load(LarderMap<Long, byte[]> map, byte[] value) {
        try (MapLoader<Long, byte[]> loader = map.loader()) {
            for (long key = 0; key < ENTRIES; key++) {
                loader.put(key, value);
            }
        }
    }

    /** Small entries take 32 bytes, expiring ones 36. The map has many, because a small map takes 4 MiB. */
    @ParameterizedTest
    @CsvSource({
        "24, false, false",
        "24, true, true",
        "100, false, true",
        "100, true, false",
    })
    void isSmallForSmallEntries(int valueBytes, boolean expiring, boolean loaded) {
        try (LarderMap<Long, byte[]> map = open(expiring)) {
            byte[] value = new byte[valueBytes];
            if (loaded) {
                load(map, value);
            } else {
                set(map, value);
            }
            requireSmall(Overhead.of(map, valueBytes), expiring);
            map.compact();
            requireSmall(Overhead.of(map, valueBytes), expiring);
        }
    }

    private static void requireSmall(Overhead each, boolean expiring) {
        assertThat(each.index()).as("%s", each).isLessThanOrEqualTo(16);
        assertThat(each.whole()).as("%s", each).isLessThanOrEqualTo(expiring ? 36 : 32);
    }

    /**
     * A map that has shrunk has a larger index. Two pages merge only when both together fill three quarters of one, and unused
     * pages keep their memory up to a unit.
     */
    @Test
    void isLargerWhereHalfIsRemoved() {
        try (LarderMap<Long, byte[]> map = open(false)) {
            set(map, new byte[24]);
            for (long key = 0; key < ENTRIES; key += 2) {
                map.remove(key);
            }
            map.compact();
            Overhead each = Overhead.of(map, 24);
            assertThat(each.record()).as("%s", each).isEqualTo(16);
            assertThat(each.index()).as("%s", each).isLessThanOrEqualTo(28);
        }
    }
}
