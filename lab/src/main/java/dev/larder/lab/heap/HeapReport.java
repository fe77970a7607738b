package dev.larder.lab.heap;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.ResultFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The result of the experiment {@code heap} as a table, as plots and as a page. */
final class HeapReport {

    private static final String MEMORY =
            "Memory: the pages of the process, each counted once, after the load. A heap is as large as it was made"
                    + " (-Xms = -Xmx) and touched before the first request, used or not: what a collector was given,"
                    + " nobody else has.";

    private static final String PAUSES =
            "Pauses: the world stood still for an operation of the JVM. To a safepoint: how long it took until every"
                + " thread had stopped for one. Stalls: a thread waited until the collector had found it memory; ZGC"
                + " alone tells them, with the others such a thread waits in a pause. Response times count all of it,"
                + " from when a request was to leave.";

    private static final String SUBJECTS =
            "Collectors run in their default modes: ZGC in generations, Shenandoah without. The off-heap region is a"
                + " row of fixed slots without an index: less than a map does, so what it shows is a bound. LarderMap"
                + " has an index and files, which nobody waits for; its memory is its index and the pages of its"
                + " files. A get copies the value into a new object of 8 KiB and sums it up, wherever the value is.";

    private static final String GROWTH =
            "New keys: such a put is of the next key that is not there yet, and whatever is asked for is drawn from"
                + " all keys that are there when the request is served. LarderMap is told of no size, and its files"
                + " grow. The region has a slot for every key that could come, touched from the start;"
                + " ConcurrentHashMap and Caffeine were made for as many; a heap is as large as the values in the end"
                + " want it to be.";

    private final Figures result;
    private final HeapSummary summary;
    private final List<Figures> rows;

    HeapReport(Figures result) {
        this.result = result;
        rows = result.rows("runs");
        summary = new HeapSummary(rows);
    }

    /** Writes the plots ({@code heap-percentiles-1024MiB-steady.svg} and so on) and {@code report.html}. */
    void write(ResultFolder folder) {
        HeapCharts charts = new HeapCharts(summary);
        List<Chart> comparisons = charts.comparisons();
        List<Chart> timelines = charts.timelines();
        comparisons.forEach(chart -> Drawing.write(chart, folder.directory()));
        timelines.forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("report.html", page(comparisons, timelines));
    }

    /** Returns the table and the sentences as text. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Figures part : summary.parts()) {
            text.append('\n')
                    .append(heading(part))
                    .append('\n')
                    .append(table(part))
                    .append('\n');
            if (grows()) {
                text.append(growth(part)).append('\n');
            }
            summary.sentences(part).forEach(sentence -> text.append(sentence).append('\n'));
        }
        text.append('\n');
        summary.notMeasured().forEach(line -> text.append(line).append('\n'));
        return text.append(verdict()).append('\n').toString();
    }

    private String verdict() {
        String verdict = result.flag("valid") ? "valid" : "VOID: " + result.get("invalid_reason");
        String complete = result.flag("complete") ? "" : ", not complete";
        return verdict + complete + (result.flag("disturbed") ? ", disturbed by the machine" : "");
    }

    private static String heading(Figures part) {
        return ByteSize.format(part.whole("live_bytes")) + " of values, " + HeapSummary.phase(part);
    }

    private TextTable table(Figures part) {
        TextTable table = new TextTable()
                .row(
                        "",
                        "heap",
                        "p50",
                        "p99",
                        "p99.9",
                        "p99.99",
                        "max",
                        "longest pause",
                        "to safepoint",
                        "stall",
                        "collections",
                        "processors",
                        "memory",
                        "answered",
                        "");
        summary.rows(part).forEach(row -> addRow(table, row));
        return table;
    }

    private boolean grows() {
        Long percent = result.part("options").wholeOrNull("new_keys_percent");
        return percent != null && percent > 0;
    }

    /** How many keys there were. */
    private TextTable growth(Figures part) {
        TextTable table = new TextTable().row("", "keys filled in", "before the load", "behind it");
        for (Figures row : summary.rows(part)) {
            table.row(HeapSummary.title(row), count(row, "keys"), count(row, "keys_start"), count(row, "keys_end"));
        }
        return table;
    }

    private static String count(Figures row, String name) {
        return String.format(Locale.ROOT, "%,d", row.whole(name));
    }

    private static void addRow(TextTable table, Figures row) {
        table.row(
                HeapSummary.title(row),
                size(row, "heap_bytes"),
                micros(row, "p50_us"),
                micros(row, "p99_us"),
                micros(row, "p999_us"),
                micros(row, "p9999_us"),
                micros(row, "max_us"),
                millis(row, "longest_pause_ms"),
                millis(row, "longest_safepoint_ms"),
                millis(row, "longest_stall_ms"),
                String.valueOf(row.get("gc_count")),
                String.format(Locale.ROOT, "%.2f", row.number("cpu_cores")),
                size(row, "memory_bytes"),
                Unit.PER_SECOND.text(row.number("answered_per_s")),
                note(row));
    }

    private static String note(Figures row) {
        return row.flag("valid") ? (row.flag("disturbed") ? "disturbed" : "") : "VOID";
    }

    private static String micros(Figures row, String name) {
        return Unit.MICROSECONDS.text(row.number(name));
    }

    private static String millis(Figures row, String name) {
        return Unit.MILLISECONDS.text(row.number(name));
    }

    private static String size(Figures row, String name) {
        Long bytes = row.wholeOrNull(name);
        return bytes == null ? "–" : ByteSize.format(bytes);
    }

    private String lead() {
        Figures options = result.part("options");
        return String.format(
                Locale.ROOT,
                "Values of %s bytes under %s requests a second, %s %% of them puts%s, at their own pace; on the heap"
                        + " under each collector, and outside it.",
                options.get("value_bytes"),
                Unit.PLAIN.text(options.number("rate_per_s")),
                writes(options.get("writes_percent")),
                grows() ? " (of which " + options.get("new_keys_percent") + " % of new keys)" : "");
    }

    /** One share, as results of before have it, or several. */
    private static String writes(@Nullable Object shares) {
        return switch (shares) {
            case List<?> list -> list.stream().map(HeapReport::writes).collect(Collectors.joining(", "));
            case Number number -> Puts.text(number.doubleValue());
            case null, default -> String.valueOf(shares);
        };
    }

    private String page(List<Chart> comparisons, List<Chart> timelines) {
        ReportPage page = new ReportPage("Where a big heap hurts", lead());
        page.badge(result.flag("valid"), result.flag("valid") ? "valid" : "void: " + result.get("invalid_reason"));
        page.badge(!result.flag("disturbed"), result.flag("disturbed") ? "disturbed by the machine" : "not disturbed");
        if (!result.flag("complete")) {
            page.badge(false, "not complete");
        }
        for (Figures part : summary.parts()) {
            page.heading(heading(part)).table(table(part));
            if (grows()) {
                page.table(growth(part));
            }
            summary.sentences(part).forEach(page::paragraph);
        }
        if (!summary.notMeasured().isEmpty()) {
            page.heading("Not measured");
            summary.notMeasured().forEach(page::paragraph);
        }
        comparisons.forEach(page::chart);
        page.heading("How to read this")
                .paragraph(PAUSES)
                .paragraph(MEMORY)
                .paragraph(SUBJECTS)
                .paragraph(generator());
        if (grows()) {
            page.paragraph(GROWTH);
        }
        timelines.forEach(page::chart);
        page.foldedTable("Gets and puts apart", everyRow());
        page.heading("Options").facts(result.part("options")).heading("Machine").facts(result.part("machine"));
        page.heading("JVM of the conductor").facts(result.part("jvm"));
        return page.paragraph("Revision " + result.get("revision") + ", started " + result.get("started"))
                .html();
    }

    private String generator() {
        Long niceness = result.wholeOrNull("generator_niceness");
        return "The generator is a process of its own on the same machine"
                + (niceness == null || niceness == 0
                        ? ", of the same priority as the target"
                        : ", and goes before the target (nice " + niceness + ")")
                + ". A row is void when the generator was the bottleneck: more than 200 µs late at p99, and by more"
                + " than a tenth of the response time there.";
    }

    private TextTable everyRow() {
        List<String> names = List.of(
                "live_bytes",
                "writes_percent",
                "phase",
                "operation",
                "requests",
                "offered_per_s",
                "answered_per_s",
                "errors",
                "unanswered",
                "mean_us",
                "p50_us",
                "p99_us",
                "p999_us",
                "max_us",
                "late_sends",
                "late_p99_us",
                "warm_up_seconds",
                "warm_up_converged",
                "keys_start",
                "keys_end",
                "refresh_per_s",
                "allocated_bytes_per_request",
                "steal_percent");
        List<String> head = new ArrayList<>(List.of("subject"));
        head.addAll(names);
        TextTable table = new TextTable().row(head.toArray(String[]::new));
        rows.stream().filter(row -> row.has("phase")).forEach(row -> {
            List<String> cells = new ArrayList<>(List.of(HeapSummary.title(row)));
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
