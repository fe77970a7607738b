package dev.larder.lab.buffers;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.ResultFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result of the experiment {@code buffers} as tables, charts and a page. */
final class BuffersReport {

    private static final String HOW = "Each kind lives in a child process of its own; kinds take turns, and each round"
        + " begins with another one. A round creates blocks until the total is reached, and fills each with ints, one"
        + " typed put after the other, before the next is created. Up to 1024 blocks, and up to 96 MiB, live at once;"
        + " then all of them are released together, with the arena that they lie in. Times are summed over the round."
        + " Shared memory of all kinds is an object with a name for each block, which is deleted when it is released;"
        + " the blocks of a mapped file are parts of one file, which is made and deleted with the round. Rounds of"
        + " warm-up have a quarter of the total. The children have the serial collector, which tells to the byte what"
        + " lives on the heap. Heap: what lives on it, after a collection, because of the blocks, for the whole total"
        + " at once.";

    private static final String MODES = "A mapped file is opened in the modes of RandomAccessFile. No mode makes a"
            + " store into a mapping durable, so the three differ in nothing here; forcing is not part of this"
            + " experiment.";

    private static final String PROOFS = "attach: the child leaves a region and closes it, and another process finds"
        + " every number in it. outlive: the child is killed (SIGKILL) while it is attached, and another process finds"
        + " every number. transfer: a region is moved into a file, and the heap bytes that were allocated meanwhile"
        + " are counted. A proof that fails voids the run.";

    private final Figures result;
    private final List<Figures> rows;
    private final List<Long> blocks;

    BuffersReport(Figures result) {
        this.result = result;
        rows = result.rows("rows");
        blocks = rows.stream().map(row -> row.whole("block_bytes")).distinct().toList();
    }

    /** Writes the charts, {@code report.html}, and the tables as comma-separated values. */
    void write(ResultFolder folder) {
        List<Chart> charts = charts();
        charts.forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("buffers.csv", BuffersCsv.ofAll(rows));
        folder.write("buffers-2011.csv", BuffersCsv.of2011(rows));
        folder.write("report.html", page(charts));
    }

    /** Returns the tables as text. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (long block : blocks) {
            text.append('\n').append(heading(block)).append('\n').append(times(block));
        }
        text.append("\nproofs\n").append(proofs()).append('\n');
        skipped().forEach(line -> text.append(line).append('\n'));
        return text.append(verdict()).append('\n').toString();
    }

    private String verdict() {
        String verdict = result.flag("valid") ? "valid" : "VOID: " + result.get("invalid_reason");
        String complete = result.flag("complete") ? "" : ", not complete";
        return verdict + complete + (result.flag("disturbed") ? ", disturbed by the machine" : "");
    }

    private String total() {
        return ByteSize.format(result.part("options").whole("total_bytes"));
    }

    private String heading(long block) {
        return total() + " in blocks of " + ByteSize.format(block) + ", ms (median / p95 / max)";
    }

    private List<Figures> measured(long block) {
        return rows.stream()
                .filter(row -> row.whole("block_bytes") == block && row.whole("rounds") > 0)
                .toList();
    }

    private TextTable times(long block) {
        TextTable table = new TextTable()
                .row("kind", "create", "write", "create + write", "release", "all", "heap p95", "faults");
        for (Figures row : measured(block)) {
            table.row(
                    row.text("kind"),
                    spread(row, "create_ms"),
                    spread(row, "write_ms"),
                    spread(row, "create_write_ms"),
                    spread(row, "release_ms"),
                    spread(row, "total_ms"),
                    ByteSize.format((long) row.number("heap_bytes_p95")),
                    String.format(Locale.ROOT, "%.0f", row.number("faults_p50")));
        }
        return table;
    }

    private static String spread(Figures row, String name) {
        return String.format(
                Locale.ROOT,
                "%.1f / %.1f / %.1f",
                row.number(name + "_p50"),
                row.number(name + "_p95"),
                row.number(name + "_max"));
    }

    private TextTable proofs() {
        TextTable table = new TextTable().row("proof", "kind", "result", "ms", "heap allocated");
        for (Figures proof : result.rows("proofs")) {
            if (proof.get("skipped_reason") == null) {
                boolean counts = proof.wholeOrNull("heap_allocated_bytes") != null;
                table.row(
                        proof.text("proof"),
                        proof.text("kind"),
                        proof.flag("passed") ? "passed" : "FAILED",
                        String.format(Locale.ROOT, "%.2f", proof.number("ms")),
                        counts ? ByteSize.format(proof.whole("heap_allocated_bytes")) : "-");
            }
        }
        return table;
    }

    private List<String> skipped() {
        List<String> lines = new ArrayList<>();
        for (Figures row : rows) {
            if (row.get("skipped_reason") != null) {
                lines.add("skipped " + row.text("kind") + " in blocks of " + ByteSize.format(row.whole("block_bytes"))
                        + ": " + row.text("skipped_reason"));
            }
        }
        return lines;
    }

    private List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        for (long block : blocks) {
            if (!measured(block).isEmpty()) {
                charts.add(times(block, measured(block)));
            }
        }
        if (rows.stream().anyMatch(row -> row.whole("rounds") > 0)) {
            charts.add(heap());
        }
        return charts;
    }

    private Chart times(long block, List<Figures> measured) {
        String size = ByteSize.format(block);
        return new BarChart(
                        "buffers-times-" + size.replace(" ", "").toLowerCase(Locale.ROOT),
                        "Create, write and release " + total() + " in blocks of " + size + " (medians)",
                        Axis.of("time", Unit.MILLISECONDS),
                        measured.stream().map(row -> row.text("kind")).toList(),
                        List.of(
                                group("create", measured, "create_ms_p50"),
                                group("write", measured, "write_ms_p50"),
                                group("release", measured, "release_ms_p50")))
                .asStacked();
    }

    private Chart heap() {
        List<String> kinds = rows.stream()
                .filter(row -> row.whole("rounds") > 0)
                .map(row -> row.text("kind"))
                .distinct()
                .toList();
        return new BarChart(
                "buffers-heap",
                "Heap that the blocks keep (p95)",
                Axis.of("heap", Unit.BYTES),
                kinds,
                blocks.stream().map(block -> heapGroup(kinds, block)).toList());
    }

    private BarChart.Group heapGroup(List<String> kinds, long block) {
        return BarChart.Group.of(
                "blocks of " + ByteSize.format(block),
                kinds.stream().map(kind -> heapBytes(kind, block)).toList());
    }

    private double heapBytes(String kind, long block) {
        return measured(block).stream()
                .filter(row -> row.text("kind").equals(kind))
                .mapToDouble(row -> row.number("heap_bytes_p95"))
                .findFirst()
                .orElse(Double.NaN);
    }

    private static BarChart.Group group(String name, List<Figures> rows, String figure) {
        return BarChart.Group.of(
                name, rows.stream().map(row -> row.number(figure)).toList());
    }

    private String rounds() {
        List<Long> done = result.rows("rows").stream()
                .map(row -> row.whole("rounds"))
                .filter(count -> count > 0)
                .toList();
        long all = result.part("options").whole("rounds");
        long least = done.stream().mapToLong(Long::longValue).min().orElse(0);
        return least == all ? all + " rounds" : least + " rounds (of " + all + ": for more there was no time)";
    }

    private String page(List<Chart> charts) {
        Figures options = result.part("options");
        ReportPage page = new ReportPage(
                "Buffers: to create and to fill",
                total() + " of ints in each of " + rounds() + "; heap of "
                        + ByteSize.format(options.whole("heap_bytes")) + ", " + result.get("memory") + ".");
        page.badge(result.flag("valid"), result.flag("valid") ? "valid" : "void: " + result.get("invalid_reason"));
        page.badge(!result.flag("disturbed"), result.flag("disturbed") ? "disturbed by the machine" : "not disturbed");
        if (!result.flag("complete")) {
            page.badge(false, "not complete");
        }
        charts.forEach(page::chart);
        blocks.forEach(block -> page.heading(heading(block)).table(times(block)));
        page.heading("Proofs").paragraph(PROOFS).table(proofs());
        skipped().forEach(page::paragraph);
        result.rows("descriptions")
                .forEach(each -> page.paragraph(each.text("kind") + ": " + each.text("description")));
        page.heading("How it was measured").paragraph(HOW).paragraph(MODES);
        page.heading("The table of 2011").table(table2011());
        page.heading("Options").facts(options).heading("Machine").facts(result.part("machine"));
        page.heading("JVM of a child").facts(result.part("jvm"));
        return page.paragraph("Revision " + result.get("revision") + ", started " + result.get("started"))
                .html();
    }

    private TextTable table2011() {
        TextTable table = new TextTable();
        BuffersCsv.of2011(rows).lines().forEach(line -> table.row(line.split(",", -1)));
        return table;
    }
}
