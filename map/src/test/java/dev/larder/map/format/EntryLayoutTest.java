package dev.larder.map.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which payloads are entries of a map, and what their kinds mean. */
final class EntryLayoutTest {

    private static final int USES = 0b0110_0000;
    private static final int FIRST = 0b100;

    /** The existing kinds, without bits that are free to be set or not. */
    private static final List<Integer> VALUES = List.of(0b1, 0b1001, 0b1000_1001);

    private static final int REMOVAL = 0b10;

    private final MemorySegment record = MemorySegment.ofArray(new long[4]);

    private boolean isEntry(int kind) {
        record.set(ValueLayout.JAVA_BYTE, 0, (byte) kind);
        return EntryLayout.isEntry(record, 0, kind == REMOVAL || kind == (REMOVAL | FIRST) ? 4 : 12);
    }

    @Test
    void areOfTheKindsThatThereAre() {
        List<Integer> found = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (int kind = 0; kind < 256; kind++) {
            if (isEntry(kind)) {
                found.add(kind);
            }
            if (VALUES.contains(kind & ~(FIRST | USES)) || (kind & ~FIRST) == REMOVAL) {
                expected.add(kind);
            }
        }
        assertThat(found).isEqualTo(expected);
    }

    /** Compares keys of every length, with every byte changed in turn. */
    @Test
    void tellKeysApart() {
        for (int length = 0; length < 40; length++) {
            MemorySegment entry = MemorySegment.ofArray(new byte[4 + length]);
            MemorySegment key = MemorySegment.ofArray(new byte[length]);
            EntryLayout.write(entry, 0, EntryLayout.VALUE, Deadline.NONE, key, length);
            int header = EntryLayout.header(entry, 0);
            assertThat(EntryLayout.hasKey(entry, 0, 4 + length, header, key, 0, length))
                    .isTrue();
            for (int changed = 0; changed < length; changed++) {
                key.set(ValueLayout.JAVA_BYTE, changed, (byte) 1);
                assertThat(EntryLayout.hasKey(entry, 0, 4 + length, header, key, 0, length))
                        .isFalse();
                key.set(ValueLayout.JAVA_BYTE, changed, (byte) 0);
            }
        }
    }

    /** Also where the bits of a time wrap around. */
    @ParameterizedTest
    @ValueSource(longs = {0, 5, 1_800_000_000_000L & ((1L << 40) - 1), (1L << 40) - 1})
    void keepTheirDeadlines(long time) {
        for (long deadline : new long[] {time, time | Deadline.IDLE}) {
            MemorySegment key = MemorySegment.ofArray(new long[] {7});
            EntryLayout.write(record, 0, EntryLayout.valueUntil(deadline), deadline, key, 8);
            assertThat(EntryLayout.isEntry(record, 0, 20)).isTrue();
            assertThat(EntryLayout.deadline(record, 0)).isEqualTo(deadline);
            assertThat(EntryLayout.deadline(record, 0, EntryLayout.header(record, 0)))
                    .isEqualTo(deadline);
            assertThat(Deadline.isIdle(deadline)).isEqualTo(deadline != time);
            assertThat(Deadline.leftMillis(deadline, time - 3)).isEqualTo(3);
        }
        assertThat(EntryLayout.valueUntil(Deadline.NONE)).isEqualTo(EntryLayout.VALUE);
        assertThat(Deadline.isIdle(Deadline.NONE)).isFalse();
    }
}
