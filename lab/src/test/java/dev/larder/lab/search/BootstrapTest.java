package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BootstrapTest {

    private static double[] logarithms(double... ratios) {
        return DoubleStream.of(ratios).map(Math::log).toArray();
    }

    @Test
    void theMeanIsGeometric() {
        Bootstrap.Interval interval = new Bootstrap(1).of(logarithms(0.5, 2));
        assertThat(interval.mean()).isCloseTo(1, within(1e-9));
        assertThat(interval.low()).isCloseTo(0.5, within(1e-9));
        assertThat(interval.high()).isCloseTo(2, within(1e-9));
    }

    @Test
    void equalRatiosLeaveNoDoubt() {
        Bootstrap.Interval interval = new Bootstrap(1).of(logarithms(1.1, 1.1, 1.1));
        assertThat(interval.low()).isCloseTo(1.1, within(1e-9));
        assertThat(interval.high()).isCloseTo(1.1, within(1e-9));
    }

    @Test
    void oneRatioHasNoInterval() {
        Bootstrap.Interval interval = new Bootstrap(1).of(logarithms(1.3));
        assertThat(interval.mean()).isCloseTo(1.3, within(1e-9));
        assertThat(interval.low()).isNaN();
        assertThat(interval.high()).isNaN();
    }

    /** About 95 % of 400 samples of 20 with a known mean have that mean in their interval. */
    @Test
    void theIntervalHoldsTheMeanAsOftenAsItSays() {
        Random random = new Random(7);
        long held = IntStream.range(0, 400)
                .filter(sample -> {
                    double[] logarithms =
                            random.doubles(20).map(each -> each - 0.5).toArray();
                    Bootstrap.Interval interval = new Bootstrap(sample).of(logarithms);
                    return interval.low() <= 1 && interval.high() >= 1;
                })
                .count();
        assertThat(held).isBetween(360L, 392L);
    }

    @Test
    void theInverseTurnsTheEndsRound() {
        Bootstrap.Interval inverse = new Bootstrap.Interval(0.8, 0.5, 1.25).inverse();
        assertThat(inverse).isEqualTo(new Bootstrap.Interval(1.25, 0.8, 2));
    }
}
