package dev.larder.map.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.Position;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Positions in 40 bits, for logs that begin just below the point where their numbers wrap around. */
final class PackedPositionsTest {

    @ParameterizedTest
    @CsvSource({
        "2097152, 0",
        "2097152, 4194303",
        "2097152, 2143289343",
        "268435456, 0",
        "268435456, 16",
        "268435456, 32767",
        "268435456, 524287",
        "4294967296, 2047",
        "4294967296, 2147481600"
    })
    void comeBackAsTheyWere(long largest, int first) {
        PackedPositions places = new PackedPositions(largest, first);
        int last = first + Math.min(places.segmentsMax(), Integer.MAX_VALUE - first) - 1;
        for (int segment : new int[] {first, first + 1, first + (last - first) / 2, last}) {
            for (long offset : new long[] {4096, 8192, largest / 2, largest - 24}) {
                long position = Position.of(segment, offset);
                assertThat(places.isWithin(position)).isTrue();
                assertThat(places.place(position)).isBetween(1L, (1L << 40) - 1);
                assertThat(places.position(places.place(position))).isEqualTo(position);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"2097152, 5", "268435456, 5", "4294967296, 5"})
    void endWhereTheyWouldMeanTwoRecords(long largest, int first) {
        PackedPositions places = new PackedPositions(largest, first);
        assertThat(places.isWithin(Position.of(first + places.segmentsMax() - 1, 8192)))
                .isTrue();
        assertThat(places.isWithin(Position.of(first + places.segmentsMax(), 8192)))
                .isFalse();
        assertThat(places.isWithin(Position.of(first - 1, 8192))).isFalse();
        assertThat((long) places.segmentsMax() * largest).isEqualTo(8L << 40);
    }
}
