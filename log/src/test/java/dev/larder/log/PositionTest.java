package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class PositionTest {

    @Property
    void keepsSegmentAndOffset(
            @ForAll @IntRange(min = 0, max = Integer.MAX_VALUE) int segment,
            @ForAll @IntRange(min = 0, max = (1 << 29) - 1) int eighths) {
        long position = Position.of(segment, eighths * 8L);
        assertThat(position).isNotNegative();
        assertThat(Position.segment(position)).isEqualTo(segment);
        assertThat(Position.offset(position)).isEqualTo(eighths * 8L);
        assertThat(Position.toString(position)).isEqualTo(segment + ":" + eighths * 8L);
    }

    @Property
    void growsWithTheLog(
            @ForAll @IntRange(min = 0, max = 1000) int segment,
            @ForAll @IntRange(min = 0, max = (1 << 29) - 1) int one,
            @ForAll @IntRange(min = 0, max = (1 << 29) - 1) int other) {
        assertThat(Position.of(segment, one * 8L)).isLessThan(Position.of(segment + 1, other * 8L));
        assertThat(Long.signum(Position.of(segment, one * 8L) - Position.of(segment, other * 8L)))
                .isEqualTo(Integer.signum(Integer.compare(one, other)));
    }

    @Test
    void theEndOfALargestSegmentIsTheStartOfTheNext() {
        assertThat(Position.of(4, 1L << 32)).isEqualTo(Position.of(5, 0));
    }
}
