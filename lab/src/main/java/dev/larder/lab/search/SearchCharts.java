package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.process.Collector;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Plot;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The charts of the experiment {@code search}. */
final class SearchCharts {

    private static final int FEWEST_TO_LEAVE_ONE_OUT = 3;

    private SearchCharts() {}

    /** Returns the charts that compare the configurations under loads. */
    static List<Chart> comparisons(SearchSummary summary) {
        List<Chart> charts = new ArrayList<>();
        summary.comparedRates().forEach(rate -> charts.add(percentiles(summary, rate, "search", "searches")));
        charts.addAll(byLoad(summary));
        for (double rate : summary.comparedRates()) {
            if (summary.operations().contains("update")) {
                charts.add(percentiles(summary, rate, "update", "updates"));
            }
            charts.add(parts(summary, rate));
            charts.add(kinds(summary, rate));
        }
        return charts;
    }

    /** Returns charts of all configurations, and of all but those of the worst directory under the highest common load. */
    private static List<Chart> byLoad(SearchSummary summary) {
        String title = "99 % of the searches, by load";
        List<Chart> charts = new ArrayList<>(byLoad("search-p99-by-load", title, summary, ""));
        List<Figures> rows = summary.byConfiguration().values().stream()
                .flatMap(List::stream)
                .toList();
        if (Rows.distinct(rows, "subject").size() >= FEWEST_TO_LEAVE_ONE_OUT) {
            rows.stream()
                    .filter(row -> row.flag("common"))
                    .max(Comparator.comparingDouble(row -> row.number("p99_us")))
                    .map(row -> row.text("subject"))
                    .ifPresent(worst -> charts.addAll(byLoad(
                            "search-p99-by-load-rest",
                            title + ", without " + SearchDirectory.named(worst).title(),
                            summary,
                            worst)));
        }
        return charts;
    }

    /** Leaves out void loads; if all are void, there is no chart. */
    private static List<Chart> byLoad(String name, String title, SearchSummary summary, String without) {
        List<Plot.Curve> curves = new ArrayList<>();
        summary.byConfiguration().forEach((configuration, rows) -> {
            if (!rows.isEmpty() && !rows.getFirst().text("subject").equals(without)) {
                curves.add(Plot.Curve.of(configuration, rows, row -> row.number("rate_per_s"), "p99_us")
                        .saturatedAt(summary.saturation(rows.getFirst())));
            }
        });
        return curves.isEmpty() ? List.of() : List.of(Plot.byLoad(name, title, Axis.responseTime(), curves));
    }

    private static String at(double rate) {
        return " at " + Unit.PER_SECOND.text(rate);
    }

    private static Chart percentiles(SearchSummary summary, double rate, String operation, String words) {
        return LoadCharts.percentiles(
                "search-percentiles-" + operation + "-" + Math.round(rate),
                "Response time by percentile: " + words + at(rate),
                summary.at(rate, operation),
                SearchSummary::title);
    }

    /** Divides the time of a search: waiting for a thread, work, and the way as the rest. */
    private static Chart parts(SearchSummary summary, double rate) {
        List<Figures> rows = summary.at(rate, "search");
        return new BarChart(
                        "search-parts-" + Math.round(rate),
                        "Mean time of a search, and where it goes" + at(rate),
                        Axis.of("mean time", Unit.MICROSECONDS),
                        rows.stream()
                                .map(row -> SearchSummary.title(row) + LoadCharts.mark(row))
                                .toList(),
                        List.of(
                                BarChart.Group.of("waits for a thread", rows, "waited_mean_us"),
                                BarChart.Group.of("is worked on", rows, "served_mean_us")))
                .asStacked();
    }

    private static Chart kinds(SearchSummary summary, double rate) {
        List<Figures> rows = summary.operations().stream()
                .filter(operation -> !Set.of("all", "search").contains(operation))
                .flatMap(operation -> summary.at(rate, operation).stream())
                .toList();
        return BarChart.of(
                        "search-kinds-" + Math.round(rate),
                        "Response time at 99 % by kind of request" + at(rate),
                        Axis.of("response time", Unit.MICROSECONDS),
                        rows,
                        row -> row.text("operation"),
                        row -> SearchSummary.title(row) + LoadCharts.mark(row),
                        "p99_us")
                .asPointsWhereWide();
    }

    /** Returns response time over time under the compared loads, with the server's pauses. */
    static List<Chart> timelines(SearchSummary summary) {
        List<Chart> charts = new ArrayList<>();
        for (double rate : summary.comparedRates()) {
            for (Figures row : summary.at(rate, "all")) {
                String name =
                        "search-timeline-" + row.get("subject") + "-" + row.get("collector") + "-" + Math.round(rate);
                charts.add(LoadCharts.timeline(name, SearchSummary.title(row) + LoadCharts.mark(row) + at(rate), row));
            }
        }
        return charts;
    }

    /** Returns each kind's throughput over a reference, a chart for each collector and reference. */
    static List<Chart> throughput(List<Figures> rows) {
        return Rows.by(rows, row -> row.text("over") + "-" + row.text("collector")).entrySet().stream()
                .<Chart>map(part -> throughput(part.getKey(), part.getValue()))
                .toList();
    }

    private static Chart throughput(String name, List<Figures> rows) {
        Figures first = rows.getFirst();
        return BarChart.of(
                "search-throughput-over-" + name,
                String.format(
                        Locale.ROOT,
                        "Throughput over %s, %s, with 95 %% intervals",
                        SearchDirectory.named(first.text("over")).title(),
                        Collector.named(first.text("collector")).title()),
                Axis.plain("times as many searches a second (above 1: faster)"),
                rows,
                row -> row.text("kind"),
                row -> SearchDirectory.named(row.text("subject")).title(),
                "throughput_ratio");
    }
}
