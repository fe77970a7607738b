package dev.larder.lab.search;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Texts;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The report of the experiment {@code search}. */
final class SearchReport {

    private static final Column CONFIGURATION = new Column("", SearchSummary::title);

    private final Figures result;
    private final SearchSummary summary;
    private final boolean isOfLoads;

    SearchReport(Figures result) {
        this.result = result;
        summary = new SearchSummary(result);
        isOfLoads = result.rows("forks").isEmpty();
    }

    Report report() {
        List<Chart> charts = new ArrayList<>(SearchCharts.throughput(result.rows("throughput")));
        if (!summary.searches().isEmpty()) {
            charts.addAll(SearchCharts.comparisons(summary));
        }
        List<Figures> runs =
                result.rows("runs").stream().filter(row -> row.has("requests")).toList();
        Report report = new Report(result, "A Lucene index outside the heap, and others", lead())
                .judged(summary.searches())
                .table("Configurations", configurations());
        for (double rate : summary.comparedRates()) {
            report.table("Searches at " + Unit.PER_SECOND.text(rate), responses(summary.at(rate, "search")))
                    .table("Updates beside them", updates(summary.at(rate, "update")));
        }
        return report.table(
                        "Throughput over others",
                        throughput(Rows.where(result.rows("throughput"), "kind", ThroughputSummary.ALL)))
                .pageTable("Throughput over others, by kind", throughput(result.rows("throughput")))
                .notMeasured(result.rows("runs"), SearchSummary::title)
                .charts(charts)
                .paragraphs("How to read this", reading())
                .charts(SearchCharts.timelines(summary))
                .folded(
                        "Every kind of request, under every load",
                        TextTable.of(
                                runs,
                                "$ | rate_per_s | operation | requests | answered_per_s | errors | unanswered |"
                                    + " mean_us | p50_us | p99_us | p999_us | max_us | served_mean_us | late_p99_us |"
                                    + " warm_up_seconds | warm_up_converged | steal_percent | saturated | valid",
                                new Column("configuration", SearchSummary::title)))
                .facts("Index", result.part("index"));
    }

    private List<String> reading() {
        if (!isOfLoads) {
            return Texts.of("search.ratios");
        }
        List<String> reading = new ArrayList<>(Texts.of("search.reading", "search.memory", "search.visible"));
        Object priority = result.get("generator_priority");
        if (priority != null) {
            reading.add("The generator shares the machine with the server, and goes before it (" + priority + ").");
        }
        return reading;
    }

    private TextTable configurations() {
        return TextTable.of(
                result.rows("openings"),
                CONFIGURATION,
                new Column("index", opening -> size(result.part("index").wholeOrNull("bytes"))),
                Column.of("loaded in", "load_ms"),
                new Column("of the disk's rate", this::ofTheDisksRate),
                Column.of("first query", "first_query_ms"),
                Column.of("heap", "heap_bytes"),
                new Column("private memory", row -> size(most(rows(row), "anonymous_bytes", "shared_memory_bytes"))),
                new Column("cached of the index", row -> size(most(rows(row), "index_cached_bytes"))),
                new Column("longest pause", row -> Unit.MILLISECONDS.text(longest(rows(row)))),
                new Column("saturation", row -> Unit.PER_SECOND.text(summary.saturation(row))));
    }

    private List<Figures> rows(Figures opening) {
        return summary.searches().stream()
                .filter(row -> SearchSummary.title(row).equals(SearchSummary.title(opening)))
                .toList();
    }

    /** Files that are only mapped, or still in the page cache, may be ready sooner than the disk could read them. */
    private String ofTheDisksRate(Figures opening) {
        return Unit.PLAIN.text(result.part("disk_read").number("ms") / opening.number("load_ms"));
    }

    private static @Nullable Long most(List<Figures> rows, String... names) {
        return rows.stream()
                .filter(row -> row.get(names[0]) != null)
                .map(row -> {
                    long sum = 0;
                    for (String name : names) {
                        sum += row.whole(name);
                    }
                    return sum;
                })
                .max(Long::compare)
                .orElse(null);
    }

    private static double longest(List<Figures> rows) {
        return rows.stream()
                .mapToDouble(row -> row.number("longest_pause_ms"))
                .max()
                .orElse(Double.NaN);
    }

    private static TextTable responses(List<Figures> rows) {
        return TextTable.of(
                rows,
                "$ | p50=p50_us | p90=p90_us | p99=p99_us | p99.9=p999_us | max=max_us | "
                        + "waited p99=waited_p99_us | served p99=served_p99_us | processors=cpu_cores | "
                        + "answered=answered_per_s | $",
                CONFIGURATION,
                LoadCharts.REMARK);
    }

    private static TextTable updates(List<Figures> rows) {
        return TextTable.of(
                rows,
                "$ | p50=p50_us | p99=p99_us | max=max_us | reopen p50=reopen_p50_ms | "
                        + "reopen max=reopen_max_ms | visible p50=visible_p50_ms | visible p99=visible_p99_ms | "
                        + "visible max=visible_max_ms",
                CONFIGURATION);
    }

    private static TextTable throughput(List<Figures> rows) {
        return TextTable.of(
                rows,
                "$ | over | kind | forks | throughput=throughput_ratio | from=throughput_ratio_low |"
                        + " to=throughput_ratio_high",
                CONFIGURATION);
    }

    private static String size(@Nullable Long bytes) {
        return bytes == null ? Column.NONE : ByteSize.format(bytes);
    }

    private String lead() {
        Figures index = result.part("index");
        return String.format(
                Locale.ROOT,
                "An index of %s documents, %s, served by each directory under each collector; %s.",
                Unit.PLAIN.text(index.number("documents")),
                size(index.wholeOrNull("bytes")),
                isOfLoads
                        ? "searches at planned times, with "
                                + Unit.PLAIN.text(result.part("options").number("updates_per_s"))
                                + " updates a second beside them"
                        : "searches one after the other, in forks that took turns");
    }
}
