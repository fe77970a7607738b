package dev.larder.lab.report;

import dev.larder.cli.Figures;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Chart} as the script of a {@link ReportPage} reads it. */
final class ChartData {

    private static final MathContext DIGITS = new MathContext(7);

    private ChartData() {}

    static Figures of(Chart chart) {
        return switch (chart) {
            case BarChart bars -> bars(bars);
            case LineChart lines -> curves(lines.plot());
            case LoadChart load -> curves(load.plot());
            case PercentileChart percentiles -> curves(percentiles.plot());
            case TimelineChart timeline -> curves(timeline.plot());
        };
    }

    private static Figures curves(Plot plot) {
        return new Figures()
                .put("x", axis(plot.x(), plot.xRange()))
                .put("y", axis(plot.y(), plot.yRange()))
                .put(
                        "curves",
                        plot.curves().stream().map(curve -> curve(plot, curve)).toList())
                .put("bands", plot.bands().stream().map(ChartData::band).toList())
                .put("marks", plot.marks().stream().map(ChartData::mark).toList())
                .put("lanes", plot.lanes().stream().map(ChartData::lane).toList());
    }

    private static Figures axis(Axis axis, Range range) {
        return new Figures()
                .put("label", axis.label())
                .put("unit", axis.unit())
                .put("scale", axis.scale())
                .put("low", number(range.low()))
                .put("high", number(range.high()));
    }

    /** Percentiles go as positions: near 100 % seven digits of a percentile are too few. */
    private static Figures curve(Plot plot, Plot.Curve curve) {
        List<Double> x = plot.x().scale() == Scale.NINES
                ? curve.x().stream().map(Scale.NINES::position).toList()
                : curve.x();
        return new Figures()
                .put("name", curve.name())
                .put("baseline", curve.style() == Plot.Style.BASELINE)
                .put("x", numbers(x))
                .put("y", numbers(curve.y()));
    }

    private static Figures band(Plot.Band band) {
        return new Figures()
                .put("name", band.name())
                .put("x", numbers(band.x()))
                .put("low", numbers(band.low()))
                .put("high", numbers(band.high()));
    }

    private static Figures mark(Plot.Mark mark) {
        return new Figures().put("x", number(mark.x())).put("text", mark.text()).put("curve", mark.curve());
    }

    private static Figures lane(Plot.Lane lane) {
        return new Figures()
                .put("name", lane.name())
                .put("spans", spans(lane.spans()))
                .put("longest", spans(lane.longest()));
    }

    private static List<List<@Nullable BigDecimal>> spans(List<Plot.Span> spans) {
        return spans.stream()
                .map(span -> numbers(List.of(span.from(), span.to())))
                .toList();
    }

    private static Figures bars(BarChart chart) {
        return new Figures()
                .put("values", axis(chart.values(), chart.range()))
                .put("categories", chart.categories())
                .put("stacked", chart.stacked())
                .put("standing", chart.standing())
                .put("groups", chart.groups().stream().map(ChartData::group).toList());
    }

    private static Figures group(BarChart.Group group) {
        return new Figures()
                .put("name", group.name())
                .put(
                        "values",
                        numbers(group.bars().stream().map(BarChart.Bar::value).toList()))
                .put("low", numbers(group.bars().stream().map(BarChart.Bar::low).toList()))
                .put(
                        "high",
                        numbers(group.bars().stream().map(BarChart.Bar::high).toList()));
    }

    private static List<@Nullable BigDecimal> numbers(List<Double> values) {
        List<@Nullable BigDecimal> numbers = new ArrayList<>(values.size());
        values.forEach(value -> numbers.add(number(value)));
        return numbers;
    }

    private static @Nullable BigDecimal number(double value) {
        return Double.isFinite(value) ? new BigDecimal(value).round(DIGITS) : null;
    }
}
