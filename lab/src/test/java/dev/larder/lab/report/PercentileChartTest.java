package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.lab.report.PercentileChart.Curve;
import dev.larder.lab.report.PercentileChart.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class PercentileChartTest {

    private static final List<Point> POINTS = List.of(
            new Point(0, 1),
            new Point(50, 2),
            new Point(90, 3),
            new Point(99, 4),
            new Point(99.9, 5),
            new Point(100, 9));

    @Test
    void endsWhereTheRequestsEnd() {
        assertThat(new Curve("hundred", POINTS, 100).borne())
                .extracting(Point::value)
                .containsExactly(1.0, 2.0, 3.0, 4.0, 9.0);
    }

    @Test
    void drawsTheMaximumWhereTheSlowestStands() {
        assertThat(new Curve("million", POINTS, 1_000_000).borne().getLast().percentile())
                .isCloseTo(99.9999, within(1e-9));
        assertThat(new Curve("hundred", POINTS, 100).borne().getLast().percentile())
                .isEqualTo(99);
    }

    @Test
    void drawsTheMaximumBehindTheLastPointIfTheCountIsNotKnown() {
        assertThat(new Curve("any", POINTS, 0).borne().getLast()).isEqualTo(new Point(100 - (100 - 99.9) / 2, 9));
        assertThat(new Curve("one", List.of(new Point(100, 7)), 1).borne())
                .extracting(Point::value)
                .containsExactly(7.0);
    }
}
