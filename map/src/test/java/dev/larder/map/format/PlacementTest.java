package dev.larder.map.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The places of keys: even, except for the shares of the partitions, which are unequal on purpose. */
final class PlacementTest {

    private static final int KEYS = 1 << 18;

    private static long hash(long key) {
        MemorySegment bytes = Arena.ofAuto().allocate(8, 8);
        bytes.set(ValueLayout.JAVA_LONG, 0, key);
        return KeyHash.of(bytes, 0, 8, 42);
    }

    @Test
    void fillsGroupsAndTagsEvenly() {
        int[] groups = new int[IndexPageLayout.GROUPS];
        int[] lines = new int[IndexPageLayout.GROUP_LINES];
        int[] bits = new int[IndexWord.TAG_BITS];
        for (long key = 0; key < KEYS; key++) {
            long hash = hash(key);
            int tag = Placement.tag(hash);
            groups[Placement.group(hash)]++;
            lines[Placement.homeLine(tag)]++;
            for (int bit = 0; bit < bits.length; bit++) {
                bits[bit] += (tag >>> bit) & 1;
            }
        }
        assertThat(Arrays.stream(groups)).allMatch(count -> Math.abs(count - KEYS / groups.length) < 200);
        assertThat(Arrays.stream(lines)).allMatch(count -> Math.abs(count - KEYS / lines.length) < 2000);
        assertThat(Arrays.stream(bits)).allMatch(count -> Math.abs(count - KEYS / 2) < 2000);
    }

    @Test
    void givesThePartitionsSharesThatDouble() {
        int[] partitions = new int[Placement.PARTITIONS];
        for (long key = 0; key < KEYS; key++) {
            partitions[Placement.partition(hash(key))]++;
        }
        for (int i = 0; i < partitions.length; i++) {
            double share = KEYS * (Math.pow(2, (i + 1) / 64.0) - Math.pow(2, i / 64.0));
            assertThat((double) partitions[i]).isBetween(0.9 * share, 1.1 * share);
        }
    }

    @Test
    void hashesEveryByteAndTheLength() {
        MemorySegment bytes = Arena.ofAuto().allocate(64, 8);
        for (int length = 0; length < 40; length++) {
            long whole = KeyHash.of(bytes, 0, length, 1);
            assertThat(KeyHash.of(bytes, 0, length + 1, 1)).isNotEqualTo(whole);
            assertThat(KeyHash.of(bytes, 0, length, 2)).isNotEqualTo(whole);
            for (int at = 0; at < length; at++) {
                bytes.set(ValueLayout.JAVA_BYTE, at, (byte) 1);
                assertThat(KeyHash.of(bytes, 0, length, 1)).isNotEqualTo(whole);
                bytes.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
            }
        }
    }
}
