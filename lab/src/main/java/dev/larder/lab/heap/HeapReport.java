package dev.larder.lab.heap;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Texts;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report of the experiment {@code heap}. */
final class HeapReport {

    private static final Column CANDIDATE = new Column("", HeapSummary::title);

    private final Figures result;
    private final HeapSummary summary;

    HeapReport(Figures result) {
        this.result = result;
        summary = new HeapSummary(result.rows("runs"));
    }

    Report report() {
        List<Figures> measured =
                result.rows("runs").stream().filter(row -> row.has("phase")).toList();
        Report report = new Report(result, "Pauses of a large heap", lead());
        summary.parts().forEach(part -> addTables(report, part));
        return report.notMeasured(
                        result.rows("runs"),
                        row -> HeapSummary.title(row) + " with " + ByteSize.format(row.whole("live_bytes"))
                                + " of values")
                .charts(comparisons())
                .paragraphs("How to read this", Texts.of("heap.pauses", "heap.memory", "heap.subjects"), generator())
                .charts(timelines())
                .folded(
                        "Gets and puts apart",
                        TextTable.of(
                                measured,
                                "$ | live_bytes | writes_percent | phase | operation | requests | offered_per_s |"
                                    + " answered_per_s | errors | unanswered | mean_us | p50_us | p99_us | p999_us |"
                                    + " max_us | late_sends | late_p99_us | warm_up_seconds | warm_up_converged |"
                                    + " refresh_per_s | allocated_bytes_per_request | steal_percent",
                                CANDIDATE));
    }

    private void addTables(Report report, Figures part) {
        report.table(about(part), times(summary.rows(part)))
                .table("Multiples of the figures outside the heap: " + about(part), multiples(part));
        report.notes(summary.voids(part));
    }

    private static String about(Figures part) {
        return ByteSize.format(part.whole("live_bytes")) + " of values, " + part.text("phase");
    }

    private static TextTable times(List<Figures> rows) {
        return TextTable.of(
                rows,
                "$ | heap=heap_bytes | p50=p50_us | p99=p99_us | p99.9=p999_us | p99.99=p9999_us | "
                        + "max=max_us | longest pause=longest_pause_ms | to safepoint=longest_safepoint_ms | "
                        + "stall=longest_stall_ms | collections=gc_count | processors=cpu_cores | "
                        + "memory=memory_bytes | answered=answered_per_s | $",
                CANDIDATE,
                LoadCharts.REMARK);
    }

    /** The cost of the heap and of collectors. */
    private TextTable multiples(Figures part) {
        return TextTable.of(
                summary.multiples(part),
                "=candidate | longest pause=longest_pause_ms_over_off_heap | p99=p99_us_over_off_heap | "
                        + "p99.9=p999_us_over_off_heap | max=max_us_over_off_heap | "
                        + "processors=cpu_cores_over_off_heap | memory=memory_bytes_over_off_heap | "
                        + "memory / values=memory_over_live");
    }

    private String lead() {
        Figures options = result.part("options");
        return String.format(
                Locale.ROOT,
                "Values of %s bytes under %s requests a second, %s %% of them puts, at planned times; on the heap"
                        + " under each collector, and outside it.",
                options.get("value_bytes"),
                Unit.PLAIN.text(options.number("rate_per_s")),
                Unit.PLAIN.text(options.number("writes_percent")));
    }

    private String generator() {
        Object priority = result.get("generator_priority");
        return "The generator is a process of its own on the same machine"
                + (priority == null
                        ? ", of the same priority as the target"
                        : ", and goes before the target (" + priority + ")")
                + ". A row is void when the generator was the bottleneck: more than 200 µs late at p99, and by more"
                + " than a tenth of the response time there.";
    }

    /** The charts that compare candidates, size by size. */
    private List<Chart> comparisons() {
        List<Chart> charts = new ArrayList<>();
        summary.parts().forEach(part -> charts.add(percentiles(part)));
        summary.parts().stream()
                .map(part -> part.whole("live_bytes"))
                .distinct()
                .forEach(size -> charts.addAll(bars(size)));
        return charts;
    }

    private Chart percentiles(Figures part) {
        return LoadCharts.percentiles(
                "heap-percentiles-" + HeapSummary.size(part) + "-" + part.text("phase"),
                "Response time by percentile: " + about(part),
                summary.rows(part),
                HeapSummary::title);
    }

    private List<Chart> bars(long size) {
        String values = ByteSize.format(size) + " of values";
        Axis pauses = Axis.of("longest pause", Unit.MILLISECONDS);
        Axis responses = Axis.of("response time", Unit.MICROSECONDS);
        return List.of(
                bars(size, "pause", "Longest pause: " + values, pauses, "longest_pause_ms"),
                bars(size, "p999", "Response time at 99.9 %: " + values, responses, "p999_us"),
                bars(size, "processors", "Processors at work: " + values, Axis.plain("processors"), "cpu_cores"),
                bars(size, "memory", "Memory: " + values, Axis.of("memory", Unit.BYTES), "memory_bytes"));
    }

    /** A void row has no bar. */
    private Chart bars(long size, String name, String title, Axis axis, String figure) {
        List<Figures> rows = summary.parts().stream()
                .filter(part -> part.whole("live_bytes") == size)
                .flatMap(part -> summary.rows(part).stream())
                .map(row -> row.flag("valid") ? row : new Figures().putAll(row).put(figure, null))
                .toList();
        return BarChart.of(
                        "heap-" + name + "-" + HeapSummary.size(rows.getFirst()),
                        title,
                        axis,
                        rows,
                        HeapSummary::title,
                        row -> row.text("phase"),
                        figure)
                .asPointsWhereWide();
    }

    /** A chart of each candidate in each phase: response time over time, with pauses. */
    private List<Chart> timelines() {
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
        return LoadCharts.timeline(name, HeapSummary.title(row) + LoadCharts.mark(row) + ": " + about(part), row);
    }
}
