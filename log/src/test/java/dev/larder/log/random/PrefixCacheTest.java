package dev.larder.log.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The heads of a segment's records: each record is found, however the records lie, and no other position is. */
final class PrefixCacheTest {

    private static final int SEGMENT = 7;

    /** Returns heads of 4 bytes, the number of the record, at offsets in units of 8. */
    private static PrefixCache heads(int... units) {
        int[] starts = new int[units.length];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment staged = arena.allocate(8L * units.length, 8);
            for (int i = 0; i < units.length; i++) {
                starts[i] = 2 * i;
                staged.set(ValueLayout.JAVA_INT, 8L * i, 1000 + i);
                staged.set(ValueLayout.JAVA_INT, 8L * i + 4, i);
            }
            return new PrefixCache(units.length, units, starts, staged);
        }
    }

    private static long position(int unit) {
        return Position.of(SEGMENT, 8L * unit);
    }

    private static void requireAll(PrefixCache heads, int... units) {
        for (int i = 0; i < units.length; i++) {
            long at = heads.find(position(units[i]));
            assertThat(at).as("record %s at %s", i, units[i]).isNotEqualTo(PrefixCache.NONE);
            assertThat(heads.length(at)).isEqualTo(1000 + i);
            assertThat(heads.bytes().get(ValueLayout.JAVA_INT, at)).isEqualTo(i);
        }
        int[] others = java.util.stream.IntStream.of(units)
                .flatMap(unit -> java.util.stream.IntStream.of(unit - 1, unit + 1))
                .filter(unit -> unit >= 0 && Arrays.binarySearch(units, unit) < 0)
                .toArray();
        for (int other : others) {
            assertThat(heads.find(position(other))).as("nothing at %s", other).isEqualTo(PrefixCache.NONE);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void areFoundHoweverTheyLie(long seed) {
        Random random = new Random(seed);
        int[] units = random.ints(1 + random.nextInt(5000), 512, (1 << 29) - 1)
                .map(unit -> seed % 2 == 0 ? unit : 512 + (int) Math.sqrt(unit)) // most at the end
                .sorted()
                .distinct()
                .toArray();
        PrefixCache heads = heads(units);
        requireAll(heads, units);
        heads.close();
    }

    @Test
    void areFoundWhereThereAreFew() {
        requireAll(heads(600), 600);
        requireAll(heads(512, 514), 512, 514);
        requireAll(heads(512, 513, 1 << 28), 512, 513, 1 << 28);
        assertThat(heads(600).find(position(1))).isEqualTo(PrefixCache.NONE);
        assertThat(heads(600).find(position(1 << 28))).isEqualTo(PrefixCache.NONE);
    }

    @Test
    void areNotFoundOnceTheyAreGivenBack() {
        PrefixCache heads = heads(600, 700);
        heads.close();
        assertThatThrownBy(() -> heads.find(position(600))).isInstanceOf(IllegalStateException.class);
    }
}
