package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Plot;
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

/** Charts of the {@code runs} of a result, see {@link RunRows}. */
public final class LoadCharts {

    private static final double MILLIS_PER_SECOND = 1e3;
    private static final List<String> BY_LOAD = Rows.names("p50_us p90_us p99_us p999_us max_us");
    private static final List<String> OVER_TIME = Rows.names("p50_us p99_us max_us");

    /** A caveat for readers of a row. */
    public static final Column REMARK = new Column("", LoadCharts::remark);

    private LoadCharts() {}

    private static String remark(Figures row) {
        String state = !row.flag("valid") ? "VOID" : row.flag("disturbed") ? "disturbed" : "";
        return ((row.flag("saturated") ? "saturated " : "") + state).strip();
    }

    /** Returns a caveat to append to a curve's name. */
    public static String mark(Figures row) {
        return !row.flag("valid") ? " (void)" : row.flag("saturated") ? " (saturated)" : "";
    }

    /** Returns the label of a figure of response times: {@code 99.9 %} for {@code p999_us}. */
    public static String label(String figure) {
        String digits = figure.replaceAll("\\D", "");
        return switch (figure) {
            case "mean_us" -> "mean";
            case "max_us" -> "maximum";
            default -> (digits.length() > 2 ? digits.substring(0, 2) + "." + digits.substring(2) : digits) + " %";
        };
    }

    /** Returns response time by percentile, a curve for each row. */
    public static Plot percentiles(String name, String title, List<Figures> rows, Function<Figures, String> curve) {
        return Plot.byPercentile(
                name,
                title,
                rows.stream()
                        .filter(row -> row.whole("requests") > 0)
                        .map(row -> Plot.Curve.ofPercentiles(curve.apply(row) + mark(row), row))
                        .toList());
    }

    private static String configuration(Figures row) {
        return Stream.of("subject", "collector")
                .map(row::get)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .collect(Collectors.joining(", "));
    }

    /** Returns response time by percentile, a chart for each operation, a curve for each run. */
    public static List<Chart> percentiles(List<Figures> runs) {
        List<Chart> charts = new ArrayList<>();
        Rows.by(runs, row -> row.text("operation"))
                .forEach((operation, rows) -> charts.add(percentiles(
                        "load-percentiles-" + operation,
                        "Response time by percentile: " + (operation.equals("all") ? "all requests" : operation),
                        rows,
                        LoadCharts::curve)));
        return charts;
    }

    private static String curve(Figures row) {
        return configuration(row) + ", " + Unit.PER_SECOND.text(rate(row));
    }

    /** Returns the requested rate, since a stopped load has sent less; without one, the offered rate. */
    public static double rate(Figures row) {
        return row.number(row.has("rate_per_s") ? "rate_per_s" : "offered_per_s");
    }

    /**
     * Returns response time by load, for configurations with at least two loads: a chart for each configuration, a curve
     * for each percentile. Void loads are left out.
     *
     * @param saturations the rate at which each subject saturates; empty without a search
     */
    public static List<Chart> byLoad(List<Figures> runs, Figures saturations) {
        List<Chart> charts = new ArrayList<>();
        List<Figures> valid =
                ofAllRequests(runs).stream().filter(row -> row.flag("valid")).toList();
        Rows.by(valid, LoadCharts::configuration).forEach((configuration, rows) -> {
            double saturation = saturations.number(rows.getFirst().text("subject"));
            if (rows.size() > 1) {
                charts.add(Plot.byLoad(
                        "load-by-rate-" + configuration.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"),
                        "Response time by load: " + configuration,
                        Axis.responseTime(),
                        BY_LOAD.stream()
                                .map(figure -> byLoad(rows, figure)
                                        .saturatedAt(figure.equals("max_us") ? saturation : Double.NaN))
                                .toList()));
            }
        });
        return charts;
    }

    private static Plot.Curve byLoad(List<Figures> rows, String figure) {
        return Plot.Curve.of(label(figure), rows, LoadCharts::rate, figure);
    }

    /** Returns response time over time, a chart for each run, with stalls of target and machine. */
    public static List<Chart> timelines(List<Figures> runs) {
        List<Chart> charts = new ArrayList<>();
        ofAllRequests(runs).stream()
                .filter(row -> !row.rows("timeline").isEmpty())
                .forEach(row -> charts.add(timeline(
                        "load-timeline-" + (charts.size() + 1), "Response time over time: " + curve(row), row)));
        return charts;
    }

    /** Returns response time over time of a row for all requests. */
    public static Plot timeline(String name, String title, Figures row) {
        return timeline(name, title, row, OVER_TIME);
    }

    /** Returns figures of response time over time of a row for all requests. */
    public static Plot timeline(String name, String title, Figures row, List<String> figures) {
        List<Figures> intervals = row.rows("timeline");
        double half = intervals.size() > 1
                ? (intervals.get(1).number("second") - intervals.get(0).number("second")) / 2
                : 0;
        Map<String, List<Plot.Span>> pauses = new LinkedHashMap<>();
        row.rows("pauses").forEach(pause -> add(pauses, pause.text("kind"), pause));
        row.rows("hiccups").forEach(hiccup -> add(pauses, "hiccup in the " + hiccup.text("process"), hiccup));
        return Plot.overTime(
                name,
                title,
                figures.stream()
                        .map(figure -> Plot.Curve.of(
                                label(figure), intervals, interval -> interval.number("second") + half, figure))
                        .toList(),
                pauses.entrySet().stream()
                        .map(kind -> Plot.Lane.ofSeconds(kind.getKey(), kind.getValue()))
                        .toList());
    }

    private static void add(Map<String, List<Plot.Span>> pauses, String kind, Figures span) {
        double second = span.number("second");
        pauses.computeIfAbsent(kind, each -> new ArrayList<>())
                .add(new Plot.Span(second, second + span.number("ms") / MILLIS_PER_SECOND));
    }

    private static List<Figures> ofAllRequests(List<Figures> runs) {
        return runs.stream().filter(row -> row.text("operation").equals("all")).toList();
    }
}
