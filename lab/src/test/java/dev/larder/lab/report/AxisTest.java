package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class AxisTest {

    private static List<String> labels(Axis axis, int most, double... values) {
        Range range = axis.range(DoubleStream.of(values));
        return axis.ticks(range, most).stream().map(Axis.Tick::label).toList();
    }

    @Test
    void marksALogarithmicAxisWithUnits() {
        assertThat(labels(Axis.responseTime(), 12, 10, 2_000_000))
                .containsExactly("10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s");
    }

    @Test
    void marksHalvesOfDecadesWhereThereIsRoom() {
        assertThat(labels(Axis.responseTime(), 12, 10, 200))
                .containsExactly("10 µs", "20 µs", "50 µs", "100 µs", "200 µs");
    }

    @Test
    void showsAtLeastADecade() {
        Range range = Axis.responseTime().range(DoubleStream.of(100));
        assertThat(range.low()).isLessThanOrEqualTo(2);
        assertThat(range.high() - range.low()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void takesZeroAndWhatIsNotThereForNoReasonToStretchALogarithmicAxis() {
        Range range = Axis.responseTime().range(DoubleStream.of(0, 10, 1000, Double.NaN, -3));
        assertThat(range.low()).isCloseTo(1, within(0.1));
        assertThat(range.high()).isCloseTo(3, within(0.1));
    }

    @Test
    void marksNines() {
        assertThat(labels(Axis.nines(), 12, 0, 50, 99.9999))
                .containsExactly("50 %", "0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "99.9999 %");
    }

    @Test
    void beginsALinearAxisAtZero() {
        assertThat(labels(Axis.plain("x"), 6, 40, 95)).containsExactly("0", "20", "40", "60", "80");
        assertThat(labels(Axis.of("x", Unit.MICROSECONDS), 5, 2000))
                .containsExactly("0", "500 µs", "1 ms", "1.5 ms", "2 ms");
    }

    @Test
    void marksPowersOfTwoForBytes() {
        assertThat(labels(Axis.of("size", Unit.BYTES), 5, 3L << 30)).containsExactly("0", "1 GiB", "2 GiB", "3 GiB");
    }

    @Test
    void hasARangeForNoDataAtAll() {
        for (Axis axis : List.of(Axis.plain("x"), Axis.responseTime(), Axis.nines())) {
            Range range = axis.range(DoubleStream.empty());
            assertThat(range.high()).isGreaterThan(range.low());
            assertThat(axis.ticks(range, 10)).isNotEmpty();
        }
    }
}
