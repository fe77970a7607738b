package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.process.Collector;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.LoadChart;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The pictures of the experiment {@code search}. */
final class SearchCharts {

    private static final int FEWEST_TO_LEAVE_ONE_OUT = 3;

    private SearchCharts() {}

    /** Returns the pictures that compare the configurations under loads. */
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

    private static List<Chart> byLoad(SearchSummary summary) {
        Map<String, List<Figures>> configurations = summary.byConfiguration();
        Map<String, List<Figures>> rest = withoutWorst(configurations);
        String title = "99 % of the searches, by load";
        List<Chart> charts = new ArrayList<>(byLoad("search-p99-by-load", title, summary, configurations));
        if (rest.size() < configurations.size()) {
            String without = ", without " + left(configurations, rest);
            charts.addAll(byLoad("search-p99-by-load-rest", title + without, summary, rest));
        }
        return charts;
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

    /** A load that is void has no place here; where all are, there is no picture. */
    private static List<Chart> byLoad(
            String name, String title, SearchSummary summary, Map<String, List<Figures>> configurations) {
        List<LoadChart.Curve> curves = configurations.entrySet().stream()
                .filter(configuration -> !configuration.getValue().isEmpty())
                .map(configuration -> byLoad(configuration.getKey(), configuration.getValue(), summary))
                .toList();
        return curves.isEmpty() ? List.of() : List.of(new LoadChart(name, title, Axis.responseTime(), curves));
    }

    private static LoadChart.Curve byLoad(String configuration, List<Figures> rows, SearchSummary summary) {
        return new LoadChart.Curve(configuration, points(rows), summary.saturation(rows.getFirst()));
    }

    private static List<LoadChart.Point> points(List<Figures> rows) {
        return rows.stream()
                .map(row -> new LoadChart.Point(row.number("rate_per_s"), row.number("p99_us")))
                .toList();
    }

    /** Leaves out the configurations of the directory that is worst under the highest load that was common. */
    private static Map<String, List<Figures>> withoutWorst(Map<String, List<Figures>> configurations) {
        Set<Object> directories = new LinkedHashSet<>();
        configurations.values().forEach(rows -> rows.forEach(row -> directories.add(row.text("subject"))));
        if (directories.size() < FEWEST_TO_LEAVE_ONE_OUT) {
            return configurations;
        }
        Object worst = configurations.values().stream()
                .flatMap(List::stream)
                .filter(row -> row.flag("common"))
                .max(Comparator.comparingDouble(row -> row.number("p99_us")))
                .map(row -> row.get("subject"))
                .orElse("");
        Map<String, List<Figures>> rest = new LinkedHashMap<>(configurations);
        rest.values()
                .removeIf(
                        rows -> !rows.isEmpty() && worst.equals(rows.getFirst().get("subject")));
        return rest;
    }

    private static String left(Map<String, List<Figures>> all, Map<String, List<Figures>> rest) {
        return all.entrySet().stream()
                .filter(entry -> !rest.containsKey(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream())
                .map(row -> SearchDirectory.named(row.text("subject")).title())
                .findFirst()
                .orElse("the worst");
    }

    /** Where the time of a search goes: it waits for a thread, it is worked on, and the rest is the way. */
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
        List<String> kinds = summary.operations().stream()
                .filter(operation -> !Set.of("all", "search").contains(operation))
                .toList();
        List<BarChart.Group> groups = summary.at(rate, "search").stream()
                .map(row -> BarChart.Group.of(
                        SearchSummary.title(row) + LoadCharts.mark(row),
                        kinds.stream()
                                .map(kind -> ofSame(summary.at(rate, kind), row))
                                .toList()))
                .toList();
        return new BarChart(
                        "search-kinds-" + Math.round(rate),
                        "Response time at 99 % by kind of request" + at(rate),
                        Axis.of("response time", Unit.MICROSECONDS),
                        kinds,
                        groups)
                .asPointsWhereWide();
    }

    private static double ofSame(List<Figures> rows, Figures configuration) {
        return rows.stream()
                .filter(row -> SearchSummary.title(row).equals(SearchSummary.title(configuration)))
                .mapToDouble(row -> row.number("p99_us"))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Returns response time over time under the loads compared, with what stopped the server. */
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

    /** Returns the throughput of each kind over a reference, a picture for each collector and reference. */
    static List<Chart> throughput(List<Figures> rows) {
        Map<String, List<Figures>> parts = new LinkedHashMap<>();
        rows.forEach(
                row -> parts.computeIfAbsent(row.text("over") + "-" + row.text("collector"), name -> new ArrayList<>())
                        .add(row));
        List<Chart> charts = new ArrayList<>();
        parts.forEach((name, part) -> charts.add(throughput(name, part)));
        return charts;
    }

    private static Chart throughput(String name, List<Figures> rows) {
        Set<String> kinds = new LinkedHashSet<>();
        Set<String> subjects = new LinkedHashSet<>();
        rows.forEach(row -> {
            kinds.add(row.text("kind"));
            subjects.add(row.text("subject"));
        });
        Figures first = rows.getFirst();
        return new BarChart(
                "search-throughput-over-" + name,
                String.format(
                        Locale.ROOT,
                        "Throughput over %s, %s, with 95 %% intervals",
                        SearchDirectory.named(first.text("over")).title(),
                        Collector.named(first.text("collector")).title()),
                Axis.plain("times as many searches a second (above 1: faster)"),
                List.copyOf(kinds),
                subjects.stream()
                        .map(subject -> new BarChart.Group(
                                SearchDirectory.named(subject).title(),
                                kinds.stream()
                                        .map(kind -> bar(rows, subject, kind))
                                        .toList()))
                        .toList());
    }

    private static BarChart.Bar bar(List<Figures> rows, String subject, String kind) {
        return BarChart.Bar.of(
                Rows.first(Rows.where(rows, "subject", subject), "kind", kind), "throughput_ratio", "_low", "_high");
    }
}
