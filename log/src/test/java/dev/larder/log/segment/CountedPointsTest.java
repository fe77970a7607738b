package dev.larder.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CountedPointsTest {

    private static final long STRIDE = 128 << 10;
    private static final long LIMIT = 4L << 30;

    private final CountedPoints points = new CountedPoints(LIMIT);

    @Test
    void findsTheLastPointThatDoesNotLeadTooFar() {
        points.remember(2 * STRIDE + 24, 70);
        points.remember(5 * STRIDE, 200);
        check(points.last(0, 8 * STRIDE, Long.MAX_VALUE), 5 * STRIDE, 200);
        check(points.last(0, 5 * STRIDE, 200), 5 * STRIDE, 200);
        check(points.last(0, 5 * STRIDE - 8, 200), 2 * STRIDE + 24, 70);
        check(points.last(0, 8 * STRIDE, 199), 2 * STRIDE + 24, 70);
        assertThat(points.last(0, 8 * STRIDE, 69)).isEqualTo(CountedPoints.UNKNOWN);
        assertThat(points.last(0, 2 * STRIDE + 16, 1000)).isEqualTo(CountedPoints.UNKNOWN);
        assertThat(points.last(5 * STRIDE, 8 * STRIDE, 1000)).isEqualTo(CountedPoints.UNKNOWN);
    }

    @Test
    void reachesToTheEndOfTheLargestSegment() {
        points.remember(LIMIT - 16, 0x1FFF_FFFFL);
        check(points.last(0, LIMIT - 16, Long.MAX_VALUE), LIMIT - 16, 0x1FFF_FFFFL);
        points.remember(STRIDE, 0);
        check(points.last(0, STRIDE, 0), STRIDE, 0);
    }

    @Test
    void isAskedUpToTheEndOfASegmentThatIsSmallerThanABlock() {
        CountedPoints small = new CountedPoints(4 * STRIDE);
        small.remember(3 * STRIDE + 8, 50);
        check(small.last(0, 4 * STRIDE, Long.MAX_VALUE), 3 * STRIDE + 8, 50);
        small.remember(4 * STRIDE, 60); // the walk has come to the end: there is no stride behind it
        check(small.last(0, 4 * STRIDE, Long.MAX_VALUE), 3 * STRIDE + 8, 50);
    }

    private static void check(long point, long offset, long records) {
        assertThat(CountedPoints.offset(point)).isEqualTo(offset);
        assertThat(CountedPoints.records(point)).isEqualTo(records);
    }
}
