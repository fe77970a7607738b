package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.KeyHash;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.LarderException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys of one and the same hash. A caller that knows a map's seed can make them, from two inputs for which a round of the hash
 * gives the same. A page of the index holds a limited number of them. One more is refused, and nothing else is.
 */
@Timeout(300)
final class EqualHashesTest {

    private static final long A = 0x9E37_79B9_7F4A_7C15L;
    private static final long B = 0xD6E8_FEB8_6659_FD93L;
    private static final long ONE = 0xA76F_798F_8D16_7438L;
    private static final long OTHER = 0xF36A_A589_FC85_7A14L;
    private static final int ROUNDS = 10;

    @TempDir
    Path directory;

    private LarderMap<byte[], Long> open() {
        MapOptions options = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withBackground(false));
        return LarderMap.open(directory, ValueCodec.bytes(), ValueCodec.longs(), options);
    }

    private static long round(long both) {
        return both * B ^ Math.unsignedMultiplyHigh(both ^ A, B);
    }

    private static long lengthTerm(long bytes) {
        return A * bytes;
    }

    /** Returns one of 1024 keys. */
    private static byte[] key(long seed, int number) {
        ByteBuffer key = ByteBuffer.allocate(8 * ROUNDS).order(ByteOrder.LITTLE_ENDIAN);
        long hash = seed + lengthTerm(8 * ROUNDS);
        for (int i = 0; i < ROUNDS; i++) {
            long both = (number >>> i & 1) == 0 ? ONE : OTHER;
            key.putLong(hash ^ both);
            hash = Long.rotateLeft(hash, 29) + round(both);
        }
        return key.array();
    }

    private static byte[] ordinary(int number) {
        return ("ordinary " + number).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void refusesOneMoreThanAPageHoldsAndNothingElse() {
        int most = IndexPageLayout.GROUP_MAX;
        open().close();
        long seed = MapFile.read(directory, TestMaps.storage()).seed();
        try (LarderMap<byte[], Long> map = open()) {
            for (int i = 0; i < most; i++) {
                map.set(key(seed, i), (long) i);
            }
            assertThatThrownBy(() -> map.set(key(seed, most), 1L))
                    .isInstanceOf(LarderException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining(most + " other keys")
                    .hasMessageContaining(hash(seed));
            assertThat(map.get(key(seed, most))).isNull();
            for (int i = 0; i < most; i++) {
                assertThat(map.put(key(seed, i), i + 1L)).isEqualTo(i);
            }
            overwriteOrdinary(map);
            assertThat(map.longSize()).isEqualTo(most + 1000);
            try (MapSnapshot<byte[], Long> snapshot = map.snapshot()) {
                assertThat(snapshot.get(key(seed, 3))).isEqualTo(4L);
            }
            map.checkpoint();
        }
        try (LarderMap<byte[], Long> map = open()) {
            assertThat(map.get(key(seed, most - 1))).isEqualTo((long) most);
            assertThat(map.remove(key(seed, 7))).isEqualTo(8L);
            overwriteOrdinary(map); // the cleaner reaches the removal, and forgets it
            overwriteOrdinary(map);
            map.compact();
            map.set(key(seed, most), 1L);
            assertThat(map.get(key(seed, most))).isEqualTo(1L);
            map.clear();
            assertThat(map.longSize()).isZero();
        }
    }

    private static String hash(long seed) {
        byte[] key = key(seed, 0);
        return Long.toHexString(KeyHash.of(java.lang.foreign.MemorySegment.ofArray(key), 0, key.length, seed));
    }

    /** Overwrites so often that segments end, and are cleaned. */
    private static void overwriteOrdinary(LarderMap<byte[], Long> map) {
        long cleanedBefore = map.info().space().cleanedBytes();
        for (int round = 0; round < 150; round++) {
            for (int i = 0; i < 1000; i++) {
                map.set(ordinary(i), (long) round);
            }
        }
        map.compact();
        assertThat(map.info().space().cleanedBytes()).isGreaterThan(cleanedBefore);
        assertThat(map.info().space().failure()).isEmpty();
    }
}
