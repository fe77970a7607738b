package dev.larder.lab.buffers;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Texts;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report of the experiment {@code buffers}. */
final class BuffersReport {

    private final Figures result;
    private final List<Figures> rows;
    private final List<Figures> measured;
    private final List<Long> blocks;

    BuffersReport(Figures result) {
        this.result = result;
        rows = result.rows("rows");
        measured = rows.stream().filter(row -> row.whole("rounds") > 0).toList();
        blocks = rows.stream().map(row -> row.whole("block_bytes")).distinct().toList();
    }

    Report report() {
        Figures options = result.part("options");
        Report report = new Report(
                        result,
                        "Buffers: to create and to fill",
                        total() + " of ints in each of " + rounds() + "; heap of "
                                + ByteSize.format(options.whole("heap_bytes")) + ", " + result.get("memory") + ".")
                .charts(charts());
        blocks.forEach(block -> report.table(
                total() + " in blocks of " + ByteSize.format(block) + " (median / p95 / max)", times(block)));
        report.table("Proofs", proofs())
                .notMeasured(
                        rows, row -> row.text("kind") + " in blocks of " + ByteSize.format(row.whole("block_bytes")))
                .paragraphs("What the proofs are", Texts.of("buffers.proofs"));
        result.rows("descriptions")
                .forEach(each -> report.facts(each.text("kind"), new Figures().put("is", each.get("description"))));
        return report.paragraphs("How it was measured", Texts.of("buffers.how", "buffers.modes"))
                .pageTable("The table of 2011", of2011());
    }

    private String total() {
        return ByteSize.format(result.part("options").whole("total_bytes"));
    }

    private String rounds() {
        long all = result.part("options").whole("rounds");
        long least =
                measured.stream().mapToLong(row -> row.whole("rounds")).min().orElse(0);
        return least == all ? all + " rounds" : least + " rounds (of " + all + "; there was no time for more)";
    }

    private List<Figures> measured(long block) {
        return measured.stream()
                .filter(row -> row.whole("block_bytes") == block)
                .toList();
    }

    private TextTable times(long block) {
        String spread = "_ms / _p95 / _max | ";
        return TextTable.of(
                measured(block),
                "kind | create=create" + spread + "write=write" + spread + "create + write=create_write" + spread
                        + "release=release" + spread + "all=total" + spread + "heap p95=heap_bytes_p95 | faults");
    }

    private TextTable proofs() {
        return TextTable.of(
                result.rows("proofs").stream()
                        .filter(proof -> proof.get("skipped_reason") == null)
                        .toList(),
                "proof | kind | $ | took=ms | heap allocated=heap_allocated_bytes",
                new Column("result", proof -> proof.flag("passed") ? "passed" : "FAILED"));
    }

    private TextTable of2011() {
        return TextTable.of(
                measured,
                "block_size=block_bytes | test_type=kind | "
                        + "perctile95_buffer_create_and_work_time_millis=create_write_ms_p95 | "
                        + "perctile95_mem_bytes=heap_bytes_p95");
    }

    private List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        blocks.stream().filter(block -> !measured(block).isEmpty()).forEach(block -> charts.add(timesChart(block)));
        if (!measured.isEmpty()) {
            charts.add(heap());
        }
        return charts;
    }

    private Chart timesChart(long block) {
        String size = ByteSize.format(block);
        List<Figures> own = measured(block);
        return new BarChart(
                        "buffers-times-" + size.replace(" ", "").toLowerCase(Locale.ROOT),
                        "Create, write and release " + total() + " in blocks of " + size + " (medians)",
                        Axis.of("time", Unit.MILLISECONDS),
                        own.stream().map(row -> row.text("kind")).toList(),
                        List.of(
                                BarChart.Group.of("create", own, "create_ms"),
                                BarChart.Group.of("write", own, "write_ms"),
                                BarChart.Group.of("release", own, "release_ms")))
                .asStacked();
    }

    private Chart heap() {
        return BarChart.of(
                "buffers-heap",
                "Heap that the blocks keep (p95)",
                Axis.of("heap", Unit.BYTES),
                measured,
                row -> row.text("kind"),
                row -> "blocks of " + ByteSize.format(row.whole("block_bytes")),
                "heap_bytes_p95");
    }
}
