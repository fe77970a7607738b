package dev.larder.lab.queue;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.LineChart;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.ResultFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The result of the experiment {@code queue} as a table, as plots and as a page. */
final class QueueReport {

    private static final double GIB = 1L << 30;
    private static final String WRITTEN = "GiB written so far";

    private final Figures result;
    private final List<Figures> bursts;

    QueueReport(Figures result) {
        this.result = result;
        bursts = result.rows("bursts");
    }

    /** Writes the plots ({@code queue-times-single.svg} and so on) and {@code report.html}. */
    void write(ResultFolder folder) {
        List<Chart> charts = charts();
        charts.forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("report.html", page(charts));
    }

    /** Returns the summaries as text. */
    String text() {
        StringBuilder text = new StringBuilder();
        Figures summaries = result.part("summaries");
        for (String append : summaries.names()) {
            text.append('\n').append(append).append(" appends, ms per GiB\n").append(times(summaries.part(append)));
            text.append('\n').append(ratios(summaries.part(append)));
        }
        if (!result.part("rivals").names().isEmpty()) {
            text.append("\nrivals, ms per GiB\n").append(rivals());
        }
        if (result.has("rehearsal")) {
            text.append('\n').append(rehearsal()).append('\n');
        }
        return text.append('\n').append(verdict()).append('\n').toString();
    }

    /** What was written, and what became of it. */
    private String rehearsal() {
        Figures last = bursts.getLast();
        long written = last.whole("begin_bytes") + last.whole("bytes");
        return "on " + result.part("rehearsal").text("file_system") + ", "
                + result.part("rehearsal").text("mount_options") + ": " + ByteSize.format(written) + " of messages, "
                + ByteSize.format(last.whole("volume_used_bytes")) + " used, baselines included";
    }

    private String verdict() {
        String verdict = result.flag("valid") ? "valid" : "VOID: " + result.get("invalid_reason");
        String complete = result.flag("complete") ? "" : ", not complete";
        return verdict + complete + (result.flag("disturbed") ? ", disturbed by the machine" : "");
    }

    private static TextTable times(Figures summary) {
        TextTable table = new TextTable().row("", "mean", "median", "p95", "max");
        for (String part : List.of("below", "beyond")) {
            for (String name : List.of("write_ms", "sync_ms", "write_sync_ms", "read_ms")) {
                Figures figures = summary.part(part).part(name);
                table.row(
                        part + " memory: " + name.replace("_ms", "").replace('_', '+'),
                        number(figures, "mean"),
                        number(figures, "median"),
                        number(figures, "p95"),
                        number(figures, "max"));
            }
        }
        return table;
    }

    private static TextTable ratios(Figures summary) {
        TextTable table = new TextTable().row("ratio", "value");
        for (String name : summary.names()) {
            if (summary.get(name) instanceof Number && !name.equals("memory_limit_bytes")) {
                table.row(name.replace('_', ' '), String.format(Locale.ROOT, "%.3f", summary.number(name)));
            }
        }
        return table;
    }

    private TextTable rivals() {
        TextTable table = new TextTable()
                .row(
                        "subject",
                        "write",
                        "sync",
                        "read",
                        "read copied",
                        "our write / its",
                        "our read / its",
                        "copied / its");
        for (String append : result.part("summaries").names()) {
            addRow(table, "larder, " + append, append, bursts, new Figures());
            Figures rivals = result.part("rivals");
            for (String name : rivals.names()) {
                Figures rival = rivals.part(name);
                addRow(
                        table,
                        name,
                        append,
                        rival.rows("bursts"),
                        rival.part("ratios").part(append));
            }
        }
        return table;
    }

    private static void addRow(TextTable table, String name, String append, List<Figures> all, Figures ratios) {
        List<Figures> rows =
                all.stream().filter(burst -> append.equals(burst.get("append"))).toList();
        table.row(
                name,
                median(rows, "write_ms"),
                median(rows, "sync_ms"),
                median(rows, "read_ms"),
                median(rows, "read_copied_ms"),
                fraction(ratios.number("write")),
                fraction(ratios.number("read")),
                fraction(ratios.number("read_copied")));
    }

    private static String median(List<Figures> rows, String name) {
        return whole(QueueSummary.sample(rows, QueueSummary.of(name)).median());
    }

    private static String fraction(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String number(Figures figures, String name) {
        return whole(figures.number(name));
    }

    private static String whole(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }

    private List<Chart> charts() {
        if (bursts.isEmpty()) {
            return List.of();
        }
        List<Chart> charts = new ArrayList<>();
        for (String append : result.part("summaries").names()) {
            charts.add(times(append));
            charts.add(burstBars(append));
        }
        charts.add(memory());
        if (!result.part("rivals").names().isEmpty()) {
            charts.add(rivalTimes());
        }
        return charts;
    }

    private List<Figures> bursts(String append) {
        return bursts.stream()
                .filter(burst -> append.equals(burst.get("append")))
                .toList();
    }

    /** What each burst took altogether, by its parts. */
    private BarChart burstBars(String append) {
        List<Figures> rows = bursts(append);
        List<String> ends = written(rows).stream()
                .map(gibibytes -> Unit.BYTES.text(gibibytes * GIB))
                .toList();
        List<BarChart.Group> parts = Stream.of("write", "sync", "read")
                .map(part -> BarChart.Group.of(
                        part,
                        rows.stream()
                                .map(QueueSummary.of(part + "_ms")::applyAsDouble)
                                .toList()))
                .toList();
        String title = "Each burst by its parts, at what was written so far, " + append + " appends";
        return new BarChart("queue-bursts-" + append, title, Axis.plain("ms per GiB"), ends, parts)
                .asStacked()
                .asStanding();
    }

    private LineChart times(String append) {
        List<Figures> rows = bursts(append);
        List<LineChart.Line> lines = new ArrayList<>();
        lines.add(line("write", rows, "write_ms", false));
        lines.add(line("sync", rows, "sync_ms", false));
        lines.add(line("read", rows, "read_ms", false));
        lines.add(line("copy into present pages", rows, "copy_ms", true));
        lines.add(line("first touch of a mapped file", rows, "first_touch_ms", true));
        lines.add(line("pwrite and sync", rows, "pwrite_ms", true));
        lines.add(line("pwrite and sync, in the limit", rows, "pwrite_limited_ms", true));
        String title = "Time for each burst, " + append + " appends";
        return new LineChart("queue-times-" + append, title, WRITTEN, "ms per GiB", written(rows), lines);
    }

    private LineChart memory() {
        List<LineChart.Line> lines = List.of(
                gibibytes("mapped (VIRT)", "virt_bytes", false),
                gibibytes("resident (RES)", "res_bytes", false),
                gibibytes("files in the page cache", "cached_bytes", false),
                gibibytes("memory limit", "limit_bytes", true));
        return new LineChart("queue-memory", "Memory after each burst", WRITTEN, "GiB", written(bursts), lines);
    }

    private LineChart rivalTimes() {
        List<LineChart.Line> lines = new ArrayList<>();
        lines.add(line("larder: write", bursts, "write_ms", false));
        lines.add(line("larder: read", bursts, "read_ms", false));
        Figures rivals = result.part("rivals");
        for (String name : rivals.names()) {
            List<Figures> rows = rivals.part(name).rows("bursts");
            lines.add(line(name + ": write", rows, "write_ms", true));
            lines.add(line(name + ": read", rows, "read_ms", true));
        }
        return new LineChart("queue-rivals", "Beside rivals", WRITTEN, "ms per GiB", written(bursts), lines);
    }

    private static List<Double> written(List<Figures> rows) {
        List<Double> written = new ArrayList<>();
        double sum = 0;
        for (Figures burst : rows) {
            sum += burst.number("bytes") / GIB;
            written.add(sum);
        }
        return written;
    }

    private static LineChart.Line line(String label, List<Figures> rows, String name, boolean baseline) {
        return new LineChart.Line(
                label, rows.stream().map(QueueSummary.of(name)::applyAsDouble).toList(), baseline);
    }

    private LineChart.Line gibibytes(String label, String name, boolean baseline) {
        return new LineChart.Line(
                label, bursts.stream().map(burst -> burst.number(name) / GIB).toList(), baseline);
    }

    private String page(List<Chart> charts) {
        ReportPage page = new ReportPage(
                "A queue larger than memory",
                "Bursts of messages: written, synced, read back and verified; " + result.get("memory") + ".");
        page.badge(result.flag("valid"), result.flag("valid") ? "valid" : "void: " + result.get("invalid_reason"));
        page.badge(!result.flag("disturbed"), result.flag("disturbed") ? "disturbed by the machine" : "not disturbed");
        if (!result.flag("complete")) {
            page.badge(false, "not complete");
        }
        charts.forEach(page::chart);
        Figures summaries = result.part("summaries");
        for (String append : summaries.names()) {
            page.heading("In ms per GiB: " + append + " appends").table(times(summaries.part(append)));
            page.heading("Ratios: " + append + " appends").table(ratios(summaries.part(append)));
        }
        if (!result.part("rivals").names().isEmpty()) {
            page.heading("Beside rivals, in ms per GiB (medians)").table(rivals());
        }
        if (result.has("rehearsal")) {
            page.heading("On a file system that compresses")
                    .paragraph(rehearsal())
                    .facts(result.part("rehearsal"));
        }
        page.foldedTable("Every burst (" + bursts.size() + ")", everyBurst());
        page.heading("Options").facts(result.part("options")).heading("Machine").facts(result.part("machine"));
        page.heading("JVM under test").facts(result.part("jvm"));
        return page.paragraph("Revision " + result.get("revision") + ", started " + result.get("started"))
                .html();
    }

    private TextTable everyBurst() {
        List<String> names = List.of(
                "index",
                "append",
                "write_ms",
                "sync_ms",
                "read_ms",
                "prepare_ms",
                "cpu_ms",
                "faults",
                "gc_count",
                "copy_ms",
                "sum_ms",
                "first_touch_ms",
                "pwrite_ms",
                "pwrite_limited_ms");
        TextTable table = new TextTable().row(names.toArray(String[]::new));
        for (Figures burst : bursts) {
            table.row(names.stream().map(name -> cell(burst.get(name))).toArray(String[]::new));
        }
        return table;
    }

    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> "-";
            case Double number -> String.format(Locale.ROOT, "%.1f", number);
            default -> value.toString();
        };
    }
}
