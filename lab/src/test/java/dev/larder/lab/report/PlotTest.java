package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {

    private static final List<List<Number>> POINTS =
            List.of(List.of(0, 1), List.of(50, 2), List.of(90, 3), List.of(99, 4), List.of(99.9, 5), List.of(100, 9));

    private static Plot.Curve curve(Object requests, List<List<Number>> points) {
        return Plot.Curve.ofPercentiles(
                "it", new Figures().put("requests", requests).put("percentiles", points));
    }

    @Test
    void endsWhereTheRequestsEndAndDrawsTheMaximumWhereTheSlowestStands() {
        assertThat(curve(100, POINTS).y()).containsExactly(1.0, 2.0, 3.0, 4.0, 9.0);
        assertThat(curve(100, POINTS).x().getLast()).isEqualTo(99);
        assertThat(curve(1_000_000, POINTS).x().getLast()).isCloseTo(99.9999, within(1e-9));
    }

    @Test
    void drawsTheMaximumBehindTheLastPointIfTheCountIsNotKnown() {
        assertThat(curve(0, POINTS).x().getLast()).isEqualTo(100 - (100 - 99.9) / 2);
        assertThat(curve(1, List.of(List.of(100, 7))).y()).containsExactly(7.0);
    }

    @Test
    void drawsAFigureOverAnotherInItsOrder() {
        List<Figures> rows = List.of(
                new Figures().put("load", 20).put("p99_us", 7),
                new Figures().put("load", 10).put("p99_us", 5));
        Plot.Curve curve = Plot.Curve.of("it", rows, row -> row.number("load"), "p99_us");
        assertThat(curve.x()).containsExactly(10.0, 20.0);
        assertThat(curve.y()).containsExactly(5.0, 7.0);
        assertThat(curve.saturatedAt(2_000).name()).isEqualTo("it (saturated at 2 k/s)");
        assertThat(curve.saturatedAt(Double.NaN)).isEqualTo(curve);
    }
}
