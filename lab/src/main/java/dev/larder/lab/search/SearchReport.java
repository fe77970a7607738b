package dev.larder.lab.search;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.ResultFolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of the experiment {@code search} as tables, as plots and as a page. */
final class SearchReport {

    private static final String READING =
            "Response times count from when a search was to leave, whatever became of those before; so a pause costs"
                + " every search that came during it. A search waits for a thread of the server, and is worked on; the"
                + " rest is the way there and back. Updates are served by a thread of their own.";

    private static final String MEMORY =
            "Private memory: pages of the server alone, its heap among them, which is as large as it was made (-Xms ="
                    + " -Xmx) and touched before the index was opened. Cached: pages of the files it serves that lie in"
                    + " the system's page cache; what MMapDirectory reads is there, and what was copied may be there as"
                    + " well.";

    private static final String VISIBLE =
            "Visible: the time from the end of an update to the end of the reopening that shows it.";

    private static final String RATIOS =
            "Each bar is the geometric mean of paired forks, in which the configurations took turns (by the second"
                    + " where there is memory for all of them at once); the line is its 95 % interval by bootstrap over"
                    + " the forks. Every time is taken as a multiple of the same fork's "
                    + ProcessorControl.KIND + ", which reads no index: what speeds up a whole fork is no"
                    + " directory's merit.";

    private final Figures result;
    private final SearchSummary summary;

    SearchReport(Figures result) {
        this.result = result;
        summary = new SearchSummary(result);
    }

    /** Writes the plots and {@code report.html}. */
    void write(ResultFolder folder) {
        List<Chart> charts = new ArrayList<>(SearchCharts.throughput(result.rows("throughput")));
        if (!summary.searches().isEmpty()) {
            charts.addAll(SearchCharts.comparisons(summary));
        }
        List<Chart> timelines = SearchCharts.timelines(summary);
        charts.forEach(chart -> Drawing.write(chart, folder.directory()));
        timelines.forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("report.html", page(charts, timelines));
    }

    /** Returns the tables as text. */
    String text() {
        StringBuilder text = new StringBuilder("\n");
        tables(false)
                .forEach((title, table) ->
                        text.append(title).append('\n').append(table).append('\n'));
        summary.notMeasured().forEach(line -> text.append(line).append('\n'));
        return text.append(verdict()).append('\n').toString();
    }

    private String verdict() {
        String verdict = result.flag("valid") ? "valid" : "VOID: " + result.get("invalid_reason");
        String complete = result.flag("complete") ? "" : ", not complete";
        return verdict + complete + (result.flag("disturbed") ? ", disturbed by the machine" : "");
    }

    /** On a terminal the ratios of all kinds together are enough. */
    private Map<String, TextTable> tables(boolean everyKind) {
        Map<String, TextTable> tables = new LinkedHashMap<>();
        if (!result.rows("openings").isEmpty()) {
            tables.put("Configurations", configurations());
        }
        for (double rate : summary.comparedRates()) {
            tables.put("Searches at " + Unit.PER_SECOND.text(rate), responses(rate, "search"));
            if (summary.operations().contains("update")) {
                tables.put("Updates beside them", updates(rate));
            }
        }
        if (!result.rows("throughput").isEmpty()) {
            tables.put("Throughput over others", throughput(everyKind));
        }
        return tables;
    }

    private TextTable configurations() {
        TextTable table = new TextTable()
                .row(
                        "",
                        "index",
                        "loaded in",
                        "of the disk's rate",
                        "first query",
                        "heap",
                        "private memory",
                        "cached of the index",
                        "longest pause",
                        "saturation");
        for (Figures opening : result.rows("openings")) {
            List<Figures> rows = summary.searches().stream()
                    .filter(row -> SearchSummary.title(row).equals(SearchSummary.title(opening)))
                    .toList();
            table.row(
                    SearchSummary.title(opening),
                    size(result.part("index").wholeOrNull("bytes")),
                    Unit.MILLISECONDS.text(opening.number("load_ms")),
                    ofTheDisksRate(opening),
                    Unit.MILLISECONDS.text(opening.number("first_query_ms")),
                    size(opening.wholeOrNull("heap_bytes")),
                    size(most(rows, "anonymous_bytes", "shared_memory_bytes")),
                    size(most(rows, "index_cached_bytes")),
                    Unit.MILLISECONDS.text(longest(rows)),
                    Unit.PER_SECOND.text(summary.saturation(opening)));
        }
        return table;
    }

    /** Files that are only mapped, or still in the page cache, may be there sooner than the disk could give them. */
    private String ofTheDisksRate(Figures opening) {
        double disk = result.part("disk_read").number("ms");
        return String.format(Locale.ROOT, "%.2f", disk / opening.number("load_ms"));
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

    private TextTable responses(double rate, String operation) {
        TextTable table = new TextTable()
                .row("", "p50", "p90", "p99", "p99.9", "max", "waited p99", "served p99", "processors", "answered", "");
        for (Figures row : summary.at(rate, operation)) {
            table.row(
                    SearchSummary.title(row),
                    micros(row, "p50_us"),
                    micros(row, "p90_us"),
                    micros(row, "p99_us"),
                    micros(row, "p999_us"),
                    micros(row, "max_us"),
                    micros(row, "waited_p99_us"),
                    micros(row, "served_p99_us"),
                    String.format(Locale.ROOT, "%.2f", row.number("cpu_cores")),
                    Unit.PER_SECOND.text(row.number("answered_per_s")),
                    note(row));
        }
        return table;
    }

    private TextTable updates(double rate) {
        TextTable table = new TextTable()
                .row("", "p50", "p99", "max", "reopen p50", "reopen max", "visible p50", "visible p99", "visible max");
        for (Figures row : summary.at(rate, "update")) {
            table.row(
                    SearchSummary.title(row),
                    micros(row, "p50_us"),
                    micros(row, "p99_us"),
                    micros(row, "max_us"),
                    millis(row, "reopen_p50_ms"),
                    millis(row, "reopen_max_ms"),
                    millis(row, "visible_p50_ms"),
                    millis(row, "visible_p99_ms"),
                    millis(row, "visible_max_ms"));
        }
        return table;
    }

    private TextTable throughput(boolean everyKind) {
        TextTable table = new TextTable().row("", "over", "kind", "forks", "throughput", "from", "to");
        for (Figures row : result.rows("throughput")) {
            if (!everyKind && !ThroughputSummary.ALL.equals(row.get("kind"))) {
                continue;
            }
            table.row(
                    SearchSummary.title(row),
                    row.text("over"),
                    row.text("kind"),
                    row.text("forks"),
                    ratio(row, "throughput_ratio"),
                    ratio(row, "throughput_ratio_low"),
                    ratio(row, "throughput_ratio_high"));
        }
        return table;
    }

    private static String ratio(Figures row, String name) {
        double ratio = row.number(name);
        return Double.isNaN(ratio) ? "–" : String.format(Locale.ROOT, "%.3f", ratio);
    }

    private static String note(Figures row) {
        if (!row.flag("valid")) {
            return "VOID";
        }
        return (row.flag("saturated") ? "saturated" : "") + (row.flag("disturbed") ? " disturbed" : "");
    }

    private static String micros(Figures row, String name) {
        return Unit.MICROSECONDS.text(row.number(name));
    }

    private static String millis(Figures row, String name) {
        return Unit.MILLISECONDS.text(row.number(name));
    }

    private static String size(@Nullable Long bytes) {
        return bytes == null ? "–" : ByteSize.format(bytes);
    }

    private String lead() {
        Figures index = result.part("index");
        Figures options = result.part("options");
        return String.format(
                Locale.ROOT,
                "An index of %s documents, %s, served by %s; %s.",
                Unit.PLAIN.text(index.number("documents")),
                size(index.wholeOrNull("bytes")),
                "each directory under each collector",
                isOfLoads()
                        ? "searches at their own pace, with " + Unit.PLAIN.text(options.number("updates_per_s"))
                                + " updates a second beside them"
                        : "searches one after the other, in forks that took turns");
    }

    private boolean isOfLoads() {
        return result.rows("forks").isEmpty();
    }

    private String page(List<Chart> charts, List<Chart> timelines) {
        ReportPage page = new ReportPage("A Lucene index outside the heap, and others", lead());
        page.badge(result.flag("valid"), result.flag("valid") ? "valid" : "void: " + result.get("invalid_reason"));
        page.badge(!result.flag("disturbed"), result.flag("disturbed") ? "disturbed by the machine" : "not disturbed");
        if (!result.flag("complete")) {
            page.badge(false, "not complete");
        }
        tables(true).forEach((title, table) -> page.heading(title).table(table));
        if (!summary.notMeasured().isEmpty()) {
            page.heading("Not measured");
            summary.notMeasured().forEach(page::paragraph);
        }
        charts.forEach(page::chart);
        page.heading("How to read this");
        (isOfLoads() ? List.of(READING, MEMORY, VISIBLE) : List.of(RATIOS)).forEach(page::paragraph);
        timelines.forEach(page::chart);
        if (isOfLoads()) {
            page.foldedTable("Every kind of request, under every load", everyRow());
        }
        page.heading("Index").facts(result.part("index"));
        page.heading("Options").facts(result.part("options")).heading("Machine").facts(result.part("machine"));
        page.heading("JVM of the conductor").facts(result.part("jvm"));
        return page.paragraph("Revision " + result.get("revision") + ", started " + result.get("started"))
                .html();
    }

    private TextTable everyRow() {
        List<String> names = List.of(
                "rate_per_s",
                "operation",
                "requests",
                "answered_per_s",
                "errors",
                "unanswered",
                "mean_us",
                "p50_us",
                "p99_us",
                "p999_us",
                "max_us",
                "served_mean_us",
                "late_p99_us",
                "warm_up_seconds",
                "warm_up_converged",
                "steal_percent",
                "saturated",
                "valid");
        List<String> head = new ArrayList<>(List.of("configuration"));
        head.addAll(names);
        TextTable table = new TextTable().row(head.toArray(String[]::new));
        result.rows("runs").stream().filter(row -> row.has("requests")).forEach(row -> {
            List<String> cells = new ArrayList<>(List.of(SearchSummary.title(row)));
            names.forEach(name -> cells.add(cell(row.get(name))));
            table.row(cells.toArray(String[]::new));
        });
        return table;
    }

    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> "–";
            case Double number -> String.format(Locale.ROOT, "%.1f", number);
            default -> value.toString();
        };
    }
}
