package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Samples;
import org.junit.jupiter.api.Test;

final class PositionTest {

    @Test
    void keepsSegmentAndOffset() {
        Samples.check(random -> {
            int segment = Samples.intWithin(random, 0, Integer.MAX_VALUE);
            int eighths = Samples.intWithin(random, 0, (1 << 29) - 1);
            long position = Position.of(segment, eighths * 8L);
            assertThat(position).isNotNegative();
            assertThat(Position.segment(position)).isEqualTo(segment);
            assertThat(Position.offset(position)).isEqualTo(eighths * 8L);
            assertThat(Position.toString(position)).isEqualTo(segment + ":" + eighths * 8L);
        });
    }

    @Test
    void growsWithTheLog() {
        Samples.check(random -> {
            int segment = Samples.intWithin(random, 0, 1000);
            int one = Samples.intWithin(random, 0, (1 << 29) - 1);
            int other = Samples.intWithin(random, 0, (1 << 29) - 1);
            assertThat(Position.of(segment, one * 8L)).isLessThan(Position.of(segment + 1, other * 8L));
            assertThat(Long.signum(Position.of(segment, one * 8L) - Position.of(segment, other * 8L)))
                    .isEqualTo(Integer.signum(Integer.compare(one, other)));
        });
    }

    @Test
    void theEndOfALargestSegmentIsTheStartOfTheNext() {
        assertThat(Position.of(4, 1L << 32)).isEqualTo(Position.of(5, 0));
    }
}
