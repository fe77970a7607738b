package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.PercentileChart;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.result.ResultFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A result of the latency experiment as tables, plots and a page. */
final class LatencyReport {

    private static final List<String> PERCENTILES =
            List.of("p50_us", "p90_us", "p99_us", "p999_us", "p9999_us", "max_us");
    private static final List<String> HEADINGS = List.of("p50", "p90", "p99", "p99.9", "p99.99", "max");

    /** The rows that stand beside each other in a chart. */
    private static final List<String> WAITS = List.of("default", "busy-spin", "yield", "park", "combined");

    private static final List<String> MEMORY = List.of("default", "pinned", "locked", "huge-pages", "unprepared");

    private static final List<String> DISK =
            List.of("default", "no-sync", "sync-every-append", "no-early-writeback", "checked");

    private final Figures result;
    private final List<Figures> rows;
    private final long processors;

    LatencyReport(Figures result) {
        this.result = result;
        rows = result.rows("configurations");
        Long known = result.part("machine").wholeOrNull("processors");
        processors = known == null ? Long.MAX_VALUE : known;
    }

    /** Writes the plots ({@code latency-append-waits.svg} and so on) and {@code report.html}. */
    void write(ResultFolder folder) {
        List<PercentileChart> charts = charts();
        charts.forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("report.html", page(charts));
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("\nappend, us from the moment it was due\n").append(table("append", "writer_cores"));
        text.append("\nappend to tailer, us from the moment the append was due\n")
                .append(table("to_tailer", "tailer_cores"));
        List<String> notes = notes();
        if (!notes.isEmpty()) {
            text.append('\n');
            notes.forEach(note -> text.append(note).append('\n'));
        }
        return text.append('\n').append(verdict()).append('\n').toString();
    }

    private String verdict() {
        String verdict = result.flag("valid") ? "valid" : "VOID: " + result.get("invalid_reason");
        String complete = result.flag("complete") ? "" : ", not complete";
        return verdict + voidRows() + complete + (result.flag("disturbed") ? ", disturbed by the machine" : "");
    }

    private String voidRows() {
        long voids = measured().stream().filter(row -> !row.flag("valid")).count();
        return voids == 0 ? "" : ", but " + voids + " of " + measured().size() + " rows are void";
    }

    private List<Figures> measured() {
        return rows.stream().filter(row -> !row.has("skipped_reason")).toList();
    }

    private TextTable table(String kind, String cores) {
        TextTable table = new TextTable()
                .row(Stream.of(List.of("row"), HEADINGS, List.of("cores"))
                        .flatMap(List::stream)
                        .toArray(String[]::new));
        for (Figures row : measured()) {
            List<String> cells = new ArrayList<>(List.of(label(row)));
            Figures run = LatencyResult.run(result, row.text("name"), kind);
            PERCENTILES.forEach(name -> cells.add(microseconds(run.number(name))));
            cells.add(number("%.2f", row.number(cores)));
            table.row(cells.toArray(String[]::new));
        }
        return table;
    }

    private String label(Figures row) {
        return row.text("name") + (row.flag("valid") ? "" : " (void)") + (isCrowded(row) ? " *" : "");
    }

    private boolean isCrowded(Figures row) {
        return row.whole("processors_wanted") > processors;
    }

    private static String microseconds(double value) {
        return number(value < 100 ? "%.1f" : "%.0f", value);
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }

    /** What must be known of single rows. */
    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (measured().stream().anyMatch(this::isCrowded)) {
            notes.add("*: wants more processors than the " + processors + " of this machine: " + crowded()
                    + "; its threads wait for each other");
        }
        for (Figures row : rows) {
            String name = row.text("name") + ": ";
            if (row.has("skipped_reason")) {
                notes.add(name + "left out: " + row.get("skipped_reason"));
            } else if (!row.flag("valid")) {
                notes.add(name + "void: " + row.get("void_reason"));
            }
            if (row.flag("huge_pages") && Long.valueOf(0).equals(row.wholeOrNull("huge_bytes"))) {
                notes.add(name
                        + "nothing was mapped by pages of 2 MiB; those of the page cache may be larger than 4 KiB yet");
            }
            if (row.flag("saturated")) {
                notes.add(name + "fell behind: at " + number("%.0f", row.number("rate_per_s"))
                        + " messages a second the backlog grew");
            }
        }
        slower().forEach(notes::add);
        return notes;
    }

    private String crowded() {
        return String.join(
                ", ",
                measured().stream()
                        .filter(this::isCrowded)
                        .map(row -> row.get("name") + " (" + row.get("processors_wanted") + ")")
                        .toList());
    }

    private Stream<String> slower() {
        double rate = result.part("options").number("rate_per_s");
        return measured().stream()
                .filter(row -> row.number("rate_per_s") != rate)
                .map(row ->
                        row.text("name") + ": at " + number("%.0f", row.number("rate_per_s")) + " messages a second");
    }

    private List<PercentileChart> charts() {
        return Stream.of(
                        chart("append-waits", "Append, by how the tailer waits", "append", WAITS),
                        chart("tailer-waits", "Append to tailer, by how the tailer waits", "to_tailer", WAITS),
                        chart("append-memory", "Append, by how memory is kept", "append", MEMORY),
                        chart("tailer-memory", "Append to tailer, by how memory is kept", "to_tailer", MEMORY),
                        chart("append-disk", "Append, by what is done for durability", "append", DISK),
                        chart("tailer-disk", "Append to tailer, by what is done for durability", "to_tailer", DISK))
                .filter(chart -> !chart.curves().isEmpty())
                .toList();
    }

    private PercentileChart chart(String name, String title, String kind, List<String> names) {
        List<PercentileChart.Curve> curves = measured().stream()
                .filter(row -> names.contains(row.text("name")))
                .map(row -> curve(row, kind))
                .toList();
        return new PercentileChart("latency-" + name, title, curves);
    }

    private PercentileChart.Curve curve(Figures row, String kind) {
        List<PercentileChart.Point> points = new ArrayList<>();
        if (LatencyResult.run(result, row.text("name"), kind).get("percentiles") instanceof List<?> pairs) {
            pairs.forEach(pair -> points.add(point((List<?>) pair)));
        }
        return new PercentileChart.Curve(curveLabel(row), points, row.whole("messages"));
    }

    private String curveLabel(Figures row) {
        return row.text("name")
                + (row.flag("valid") ? "" : " (void)")
                + (isCrowded(row) ? ", wants " + row.get("processors_wanted") + " processors" : "");
    }

    private static PercentileChart.Point point(List<?> pair) {
        return new PercentileChart.Point(((Number) pair.get(0)).doubleValue(), ((Number) pair.get(1)).doubleValue());
    }

    private String page(List<PercentileChart> charts) {
        Figures options = result.part("options");
        ReportPage page = new ReportPage(
                "What each option does to latency",
                "Messages of " + options.get("message_bytes") + " bytes at "
                        + number("%.0f", options.number("rate_per_s"))
                        + " a second (" + options.get("arrivals") + "), from a process that appends to one that reads."
                        + " Each row changes one option; the first is a queue that is opened without any.");
        page.badge(result.flag("valid"), result.flag("valid") ? "valid" : "void: " + result.get("invalid_reason"));
        page.badge(!result.flag("disturbed"), result.flag("disturbed") ? "disturbed by the machine" : "not disturbed");
        if (!voidRows().isEmpty()) {
            page.badge(false, voidRows().replace(", but ", ""));
        }
        if (!result.flag("complete")) {
            page.badge(false, "not complete");
        }
        page.heading("Append, in microseconds from the moment it was due").table(table("append", "writer_cores"));
        page.heading("Append to tailer, in microseconds from the moment the append was due")
                .table(table("to_tailer", "tailer_cores"));
        notes().forEach(page::paragraph);
        charts.forEach(page::chart);
        page.heading("Every row").table(everyRow());
        page.paragraph("The sender spins towards each moment, which is charged to the writer. A row is void where the"
                + " sender itself was late: its 99th percentile above " + number("%.0f", result.number("late_bound_us"))
                + " us.");
        page.heading("Options").facts(options).heading("Machine").facts(result.part("machine"));
        page.heading("JVM under test").facts(result.part("jvm"));
        return page.paragraph("Revision " + result.get("revision") + ", started " + result.get("started"))
                .html();
    }

    /** How each row was set, what it was given, and how well it was measured. */
    private TextTable everyRow() {
        TextTable table = new TextTable()
                .row(
                        "row",
                        "wait",
                        "pinned",
                        "locked",
                        "huge pages",
                        "prepared",
                        "sync",
                        "early write-back",
                        "checked",
                        "rate/s",
                        "messages",
                        "processors wanted",
                        "call p50",
                        "call p99",
                        "sender late p99",
                        "late sends",
                        "sender cores",
                        "locked bytes",
                        "huge bytes");
        for (Figures row : measured()) {
            Figures call = LatencyResult.run(result, row.text("name"), "append_call");
            table.row(
                    label(row),
                    row.text("wait"),
                    row.text("pinned"),
                    row.text("locked"),
                    row.text("huge_pages"),
                    row.text("prepared"),
                    row.text("sync"),
                    row.text("early_writeback"),
                    row.text("checked"),
                    number("%.0f", row.number("rate_per_s")),
                    row.text("messages"),
                    row.text("processors_wanted"),
                    microseconds(call.number("p50_us")),
                    microseconds(call.number("p99_us")),
                    microseconds(row.part("sender_late").number("p99_us")),
                    row.text("late_sends"),
                    number("%.2f", row.number("sender_cores")),
                    String.valueOf(row.get("locked_bytes")),
                    String.valueOf(row.get("huge_bytes")));
        }
        return table;
    }
}
