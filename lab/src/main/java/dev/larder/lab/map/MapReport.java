package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Texts;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.List;

/** The report of the experiment {@code map}. */
final class MapReport {

    /** The key of a row within a size. */
    private static final String KEYS = "operation | threads | subject | ";

    private final Figures result;
    private final List<Figures> rows;
    private final List<Figures> loads;
    private final List<String> shapes;

    MapReport(Figures result) {
        this.result = result;
        rows = result.rows("rows");
        loads = result.rows("loads");
        shapes = Rows.distinct(loads, "shape");
    }

    Report report() {
        Report report = new Report(
                        result, "Maps: one access at random", "Sizes: " + String.join("; ", shapes) + ofNewKeys() + ".")
                .charts(charts());
        shapes.forEach(shape -> addTables(report, shape));
        report.notes(roomReached())
                .notMeasured(
                        result.rows("not_measured"),
                        row -> row.text("subject") + (row.get("shape") == null ? "" : ", " + row.text("shape")))
                .paragraphs("How it was measured", explanations());
        result.rows("settings").forEach(settings -> report.facts(settings.text("subject"), settings));
        return report;
    }

    private List<String> explanations() {
        List<String> texts = new ArrayList<>(Texts.of("map.how"));
        if (has("time_over_plain")) {
            texts.addAll(Texts.of("map.plain"));
        }
        texts.addAll(Texts.of("map.memory", "map.cleaning", "map.errors"));
        if (grows()) {
            texts.addAll(Texts.of("map.growth"));
        }
        return texts;
    }

    private void addTables(Report report, String shape) {
        List<Figures> own = byOperation(shape);
        List<Figures> loaded = Rows.where(loads, "shape", shape);
        report.table(
                        shape,
                        TextTable.of(
                                own,
                                KEYS + "per second=answered_per_s | p50=p50_us | p99=p99_us | p99.9=p999_us | "
                                        + "time/plain (min, max)=time_over_plain (_min, _max) | "
                                        + "time/larder=time_over_larder | wrong=errors"))
                .table(
                        "Loaded: " + shape,
                        TextTable.of(
                                loaded,
                                "subject | loaded=load_per_s | sync=sync_ms | memory=memory_bytes | heap=heap_bytes |"
                                        + " outside=outside_bytes | cached=cached_file_bytes | overhead an"
                                        + " entry=overhead_bytes_per_entry | close=close_ms | open=reopen_ms"))
                .table(
                        "Written again: " + shape, // to reclaim space
                        TextTable.of(
                                own.stream()
                                        .filter(row -> Double.isFinite(row.number("written_for_one")))
                                        .toList(),
                                KEYS + "written_for_one | least=least_for_one | alive_of_used | alive_of_files"));
        if (has("safepoints")) {
            report.table(
                    "Time until all threads have stopped: " + shape,
                    TextTable.of(
                            own,
                            KEYS + "$ | p50=safepoint_p50_us | p99=safepoint_p99_us | p99.9=safepoint_p999_us | "
                                    + "longest=safepoint_max_us",
                            count("safepoints", "safepoints")));
        }
        if (grows()) {
            report.table(
                            "Entries: " + shape,
                            TextTable.of(
                                    own,
                                    KEYS + "$ | $",
                                    count("entries before", "entries_start"),
                                    count("entries after", "entries_end")))
                    .table(
                            "Memory as it grew: " + shape,
                            TextTable.of(
                                    loaded,
                                    "subject | $ | memory=memory_bytes | overhead an entry=overhead_bytes_per_entry |"
                                            + " $ | memory then=memory_end_bytes | overhead"
                                            + " then=overhead_end_bytes_per_entry",
                                    count("entries loaded", "entries"),
                                    count("in the end", "entries_end")));
        }
    }

    private static Column count(String heading, String figure) {
        return new Column(heading, row -> Unit.COUNT.text(row.number(figure)));
    }

    private boolean has(String figure) {
        return rows.stream().anyMatch(row -> Double.isFinite(row.number(figure)));
    }

    private boolean grows() {
        return newKeysPercent() > 0;
    }

    private double newKeysPercent() {
        return result.part("options").number("new_keys_percent");
    }

    /** Without room, puts of new keys became replacements, which the row does not show. */
    private List<String> roomReached() {
        return result.rows("runs").stream()
                .filter(row -> row.flag("room_reached"))
                .map(row -> row.text("subject") + ", " + operation(row)
                        + ": the puts used all room for new keys, and then replaced values")
                .distinct()
                .toList();
    }

    /** Groups rows by operation, in the order of first occurrence. */
    private List<Figures> byOperation(String shape) {
        return Rows.by(Rows.where(rows, "shape", shape), MapReport::operation).values().stream()
                .flatMap(List::stream)
                .toList();
    }

    private static String operation(Figures row) {
        return row.text("operation") + ", " + row.text("threads")
                + (row.whole("threads") == 1 ? " thread" : " threads");
    }

    private List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        for (int number = 0; number < shapes.size(); number++) {
            if (has("time_over_plain")) {
                charts.add(ratios(shapes.get(number), number));
            }
            charts.add(memory(shapes.get(number), number));
        }
        return charts;
    }

    private Chart ratios(String shape, int number) {
        return BarChart.of(
                        "map-times-" + number,
                        "Time of an operation over plain memory's, " + shape + ofNewKeys(),
                        Axis.plain("times as long"),
                        byOperation(shape),
                        row -> row.text("subject"),
                        MapReport::operation,
                        "time_over_plain")
                .asPointsWhereWide();
    }

    private String ofNewKeys() {
        return grows() ? ", " + Math.round(newKeysPercent()) + " % of the puts of new keys" : "";
    }

    private Chart memory(String shape, int number) {
        List<Figures> own = Rows.where(loads, "shape", shape);
        return new BarChart(
                        "map-memory-" + number,
                        "Memory" + (grows() ? " when it was loaded, " : ", ") + shape,
                        Axis.of("memory", Unit.BYTES),
                        Rows.distinct(own, "subject"),
                        List.of(
                                memory("heap", own, "heap_bytes"),
                                memory("outside", own, "outside_bytes"),
                                memory("pages of its files", own, "cached_file_bytes")))
                .asStacked();
    }

    private static BarChart.Group memory(String name, List<Figures> rows, String figure) {
        return BarChart.Group.of(
                name, rows.stream().map(row -> Math.max(0, row.number(figure))).toList());
    }
}
