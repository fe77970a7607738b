package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.LineChart;
import dev.larder.lab.report.LoadChart;
import dev.larder.lab.report.PercentileChart;
import dev.larder.lab.report.TimelineChart;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pictures of the {@code runs} of a result, see {@link RunRows}. */
public final class LoadCharts {

    private static final double MILLIS_PER_SECOND = 1e3;
    private static final Map<String, String> BY_LOAD = byLoad();

    /** What a reader must know of a row before he believes it. */
    public static final Column REMARK = new Column("", LoadCharts::remark);

    private LoadCharts() {}

    private static String remark(Figures row) {
        String state = !row.flag("valid") ? "VOID" : row.flag("disturbed") ? "disturbed" : "";
        return ((row.flag("saturated") ? "saturated " : "") + state).strip();
    }

    /** Returns the same behind the name of a curve. */
    public static String mark(Figures row) {
        return !row.flag("valid") ? " (void)" : row.flag("saturated") ? " (saturated)" : "";
    }

    /** Returns response time by percentile, a curve for each row. */
    public static PercentileChart percentiles(
            String name, String title, List<Figures> rows, Function<Figures, String> curve) {
        return new PercentileChart(
                name,
                title,
                rows.stream()
                        .filter(row -> row.whole("requests") > 0)
                        .map(row -> new PercentileChart.Curve(
                                curve.apply(row) + mark(row), PercentileChart.points(row), row.whole("requests")))
                        .toList());
    }

    private static Map<String, String> byLoad() {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("p50_us", "50 %");
        figures.put("p90_us", "90 %");
        figures.put("p99_us", "99 %");
        figures.put("p999_us", "99.9 %");
        figures.put("max_us", "maximum");
        return figures;
    }

    /** Returns what a run is called in a picture that shows its load elsewhere: its subject, and its collector. */
    public static String configuration(Figures row) {
        return Stream.of("subject", "collector")
                .map(row::get)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .collect(Collectors.joining(", "));
    }

    /** Returns response time by percentile, a picture for each operation, a curve for each run. */
    public static List<Chart> percentiles(List<Figures> runs) {
        return Rows.by(runs, row -> row.text("operation")).entrySet().stream()
                .<Chart>map(operation -> percentiles(operation.getKey(), operation.getValue()))
                .toList();
    }

    private static PercentileChart percentiles(String operation, List<Figures> rows) {
        return percentiles(
                "load-percentiles-" + operation,
                "Response time by percentile: " + words(operation),
                rows,
                LoadCharts::curve);
    }

    private static String words(String operation) {
        return operation.equals("all") ? "all requests" : operation;
    }

    private static String curve(Figures row) {
        return configuration(row) + ", " + Unit.PER_SECOND.text(rate(row));
    }

    /** What was asked for: the rounder one, and a load that was stopped has sent less. */
    private static double rate(Figures row) {
        return row.number(row.has("rate_per_s") ? "rate_per_s" : "offered_per_s");
    }

    /**
     * Returns response time by load, from two loads of a configuration on: a picture for each configuration, a curve for
     * each percentile. A load that is void has no place there.
     *
     * @param saturations the rate at which each subject saturates; empty where none was looked for
     */
    public static List<Chart> byLoad(List<Figures> runs, Figures saturations) {
        List<Chart> charts = new ArrayList<>();
        List<Figures> valid =
                ofAllRequests(runs).stream().filter(row -> row.flag("valid")).toList();
        Rows.by(valid, LoadCharts::configuration).forEach((configuration, rows) -> {
            if (rows.size() > 1) {
                charts.add(byLoad(configuration, rows, saturations));
            }
        });
        return charts;
    }

    private static LoadChart byLoad(String configuration, List<Figures> rows, Figures saturations) {
        double saturation = saturations.number(rows.getFirst().text("subject"));
        List<LoadChart.Curve> curves = new ArrayList<>();
        BY_LOAD.forEach((figure, label) -> curves.add(
                new LoadChart.Curve(label, points(rows, figure), figure.equals("max_us") ? saturation : Double.NaN)));
        return new LoadChart(
                "load-by-rate-" + fileName(configuration),
                "Response time by load: " + configuration,
                Axis.responseTime(),
                curves);
    }

    private static List<LoadChart.Point> points(List<Figures> rows, String figure) {
        return rows.stream()
                .map(row -> new LoadChart.Point(rate(row), row.number(figure)))
                .sorted((one, other) -> Double.compare(one.load(), other.load()))
                .toList();
    }

    /** Returns response time over time, a picture for each run, with what held the target or the machine up. */
    public static List<Chart> timelines(List<Figures> runs) {
        List<Chart> charts = new ArrayList<>();
        ofAllRequests(runs).stream()
                .filter(row -> !row.rows("timeline").isEmpty())
                .forEach(row -> charts.add(timeline(
                        "load-timeline-" + (charts.size() + 1), "Response time over time: " + curve(row), row)));
        return charts;
    }

    /** Returns response time over time of a row for all requests. */
    public static TimelineChart timeline(String name, String title, Figures row) {
        List<Figures> intervals = row.rows("timeline");
        double half = intervals.size() > 1
                ? (intervals.get(1).number("second") - intervals.get(0).number("second")) / 2
                : 0;
        return new TimelineChart(
                name,
                title,
                intervals.stream()
                        .map(interval -> interval.number("second") + half)
                        .toList(),
                List.of(
                        line("50 %", intervals, "p50_us"),
                        line("99 %", intervals, "p99_us"),
                        line("maximum", intervals, "max_us")),
                pauses(row));
    }

    private static LineChart.Line line(String name, List<Figures> intervals, String figure) {
        return new LineChart.Line(
                name,
                intervals.stream().map(interval -> interval.number(figure)).toList());
    }

    private static List<TimelineChart.Pause> pauses(Figures row) {
        return Stream.concat(
                        row.rows("pauses").stream().map(pause -> pause(pause.text("kind"), pause)),
                        row.rows("hiccups").stream()
                                .map(hiccup -> pause("hiccup in the " + hiccup.text("process"), hiccup)))
                .toList();
    }

    private static TimelineChart.Pause pause(String kind, Figures span) {
        return new TimelineChart.Pause(kind, span.number("second"), span.number("ms") / MILLIS_PER_SECOND);
    }

    private static List<Figures> ofAllRequests(List<Figures> runs) {
        return runs.stream().filter(row -> row.text("operation").equals("all")).toList();
    }

    private static String fileName(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }
}
