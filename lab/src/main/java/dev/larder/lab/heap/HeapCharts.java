package dev.larder.lab.heap;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.PercentileChart;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The pictures of the experiment {@code heap}. */
final class HeapCharts {

    private final HeapSummary summary;

    HeapCharts(HeapSummary summary) {
        this.summary = summary;
    }

    /** Returns the pictures that compare candidates, size by size. */
    List<Chart> comparisons() {
        List<Chart> charts = new ArrayList<>();
        Set<Long> sizes = new LinkedHashSet<>();
        for (Figures part : summary.parts()) {
            charts.add(percentiles(part));
            sizes.add(part.whole("live_bytes"));
        }
        sizes.forEach(size -> charts.addAll(bars(size)));
        return charts;
    }

    private static String about(Figures part) {
        return ByteSize.format(part.whole("live_bytes")) + " of values, " + HeapSummary.phase(part);
    }

    private static String mark(Figures row) {
        return row.flag("valid") ? "" : " (void)";
    }

    private Chart percentiles(Figures part) {
        return new PercentileChart(
                "heap-percentiles-" + HeapSummary.size(part) + "-" + part.text("phase"),
                "Response time by percentile: " + about(part),
                summary.rows(part).stream()
                        .map(row -> new PercentileChart.Curve(
                                HeapSummary.title(row) + mark(row), LoadCharts.points(row), row.whole("requests")))
                        .toList());
    }

    private List<Chart> bars(long size) {
        String values = ByteSize.format(size) + " of values";
        return List.of(
                bars(size, "pause", "Longest pause: " + values, pauses(), "longest_pause_ms"),
                bars(size, "p999", "Response time at 99.9 %: " + values, Axis.responseTime(), "p999_us"),
                bars(size, "processors", "Processors at work: " + values, Axis.plain("processors"), "cpu_cores"),
                bars(size, "memory", "Memory: " + values, Axis.of("memory", Unit.BYTES), "memory_bytes"));
    }

    private static Axis pauses() {
        return Axis.of("longest pause", Unit.MILLISECONDS).logarithmic();
    }

    private Chart bars(long size, String name, String title, Axis axis, String figure) {
        List<Figures> parts = summary.parts().stream()
                .filter(part -> part.whole("live_bytes") == size)
                .toList();
        Set<String> candidates = new LinkedHashSet<>();
        parts.forEach(part -> summary.rows(part).forEach(row -> candidates.add(HeapSummary.title(row))));
        List<BarChart.Group> groups = parts.stream()
                .map(part -> BarChart.Group.of(
                        HeapSummary.phase(part),
                        candidates.stream()
                                .map(candidate -> value(part, candidate, figure))
                                .toList()))
                .toList();
        return new BarChart(
                "heap-" + name + "-" + HeapSummary.bytes(parts.getFirst()),
                title,
                axis,
                List.copyOf(candidates),
                groups);
    }

    /** A void row has no bar. */
    private double value(Figures part, String candidate, String figure) {
        return summary.rows(part).stream()
                .filter(row -> row.flag("valid") && HeapSummary.title(row).equals(candidate))
                .mapToDouble(row -> row.number(figure))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Returns a picture of each candidate in each phase: response time over time, with pauses. */
    List<Chart> timelines() {
        return summary.parts().stream()
                .flatMap(part -> summary.rows(part).stream().map(row -> timeline(part, row)))
                .toList();
    }

    private static Chart timeline(Figures part, Figures row) {
        String name = String.join(
                "-",
                "heap-timeline",
                row.text("subject"),
                row.text("collector"),
                HeapSummary.size(part),
                part.text("phase"));
        return LoadCharts.timeline(name, HeapSummary.title(row) + mark(row) + ": " + about(part), row);
    }
}
