package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Plot;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The report of the latency experiment. */
final class LatencyReport {

    private static final String APPEND = "append";
    private static final String TO_TAILER = "to_tailer";
    private static final String APPENDED = "Append, from the moment it was due";
    private static final String TAILED = "Append to tailer, from the moment the append was due";

    /** The rows beside each other in a chart. */
    private static final List<String> WAITS = List.of("default", "busy-spin", "yield", "park", "combined");

    private static final List<String> MEMORY = List.of("default", "pinned", "locked", "huge-pages", "unprepared");

    private static final List<String> DISK =
            List.of("default", "no-sync", "sync-every-append", "no-early-writeback", "checked");

    private final Figures result;
    private final List<Figures> rows;
    private final List<Figures> measured;
    private final long processors;

    LatencyReport(Figures result) {
        this.result = result;
        rows = result.rows("configurations");
        measured = rows.stream().filter(row -> !row.has("skipped_reason")).toList();
        Long known = result.part("machine").wholeOrNull("processors");
        processors = known == null ? Long.MAX_VALUE : known;
    }

    Report report() {
        Figures options = result.part("options");
        return new Report(
                        result,
                        "What each option does to latency",
                        "Messages of " + options.get("message_bytes") + " bytes at "
                                + Unit.PER_SECOND.text(options.number("rate_per_s")) + " ("
                                + options.get("arrivals") + "), from a process that appends to one that reads. Each row"
                                + " changes one option; the first row is a queue with default options.")
                .judged(measured)
                .table(APPENDED, times(APPEND, "writer_cores"))
                .table(TAILED, times(TO_TAILER, "tailer_cores"))
                .notes(notes())
                .charts(charts())
                .pageTable("Every row", everyRow())
                .paragraphs(
                        "How it was measured",
                        List.of("The sender spins until each planned moment, and this counts as time of the writer. A"
                                + " row is void if the sender itself was late: its 99th percentile above "
                                + Unit.MICROSECONDS.text(result.number("late_bound_us")) + "."));
    }

    private TextTable times(String kind, String cores) {
        return TextTable.of(
                measured.stream()
                        .map(row -> new Figures()
                                .putAll(run(row.text("name"), kind))
                                .put("row", label(row))
                                .put("cores", row.get(cores)))
                        .toList(),
                "row | p50=p50_us | p90=p90_us | p99=p99_us | p99.9=p999_us | p99.99=p9999_us | max=max_us | cores");
    }

    /** Returns the times of a row; empty ones if there are none. */
    Figures run(String name, String operation) {
        return Rows.first(Rows.where(result.rows("runs"), "subject", name), "operation", operation);
    }

    private String label(Figures row) {
        return row.text("name") + (row.flag("valid") ? "" : " (void)") + (isCrowded(row) ? " *" : "");
    }

    private Column time(String heading, String kind, String figure) {
        return new Column(heading, row -> Column.text(run(row.text("name"), kind), figure));
    }

    private boolean isCrowded(Figures row) {
        return row.whole("processors_wanted") > processors;
    }

    /** Returns caveats of single rows. */
    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        List<String> crowded = measured.stream()
                .filter(this::isCrowded)
                .map(row -> row.get("name") + " (" + row.get("processors_wanted") + ")")
                .toList();
        if (!crowded.isEmpty()) {
            notes.add("*: wants more processors than the " + processors + " of this machine: "
                    + String.join(", ", crowded) + "; its threads wait for each other");
        }
        rows.forEach(row -> addNotes(notes, row, row.text("name") + ": "));
        double rate = result.part("options").number("rate_per_s");
        measured.stream()
                .filter(row -> row.number("rate_per_s") != rate)
                .forEach(row -> notes.add(row.text("name") + ": at " + Column.text(row, "rate_per_s")));
        return notes;
    }

    private static void addNotes(List<String> notes, Figures row, String name) {
        if (row.has("skipped_reason")) {
            notes.add(name + "left out: " + row.get("skipped_reason"));
        } else if (!row.flag("valid")) {
            notes.add(name + "void: " + row.get("void_reason"));
        }
        if (row.flag("huge_pages") && Long.valueOf(0).equals(row.wholeOrNull("huge_bytes"))) {
            notes.add(name
                    + "the kernel mapped no pages of 2 MiB; pages of the page cache may still be larger than 4 KiB");
        }
        if (row.flag("saturated")) {
            notes.add(name + "fell behind: at " + Column.text(row, "rate_per_s") + " the backlog grew");
        }
    }

    private List<Plot> charts() {
        return Stream.of(
                        chart("append-waits", "Append, by how the tailer waits", APPEND, WAITS),
                        chart("tailer-waits", "Append to tailer, by how the tailer waits", TO_TAILER, WAITS),
                        chart("append-memory", "Append, by how memory is kept", APPEND, MEMORY),
                        chart("tailer-memory", "Append to tailer, by how memory is kept", TO_TAILER, MEMORY),
                        chart("append-disk", "Append, by what is done for durability", APPEND, DISK),
                        chart("tailer-disk", "Append to tailer, by what is done for durability", TO_TAILER, DISK))
                .filter(chart -> !chart.curves().isEmpty())
                .toList();
    }

    private Plot chart(String name, String title, String kind, List<String> names) {
        return Plot.byPercentile(
                "latency-" + name,
                title,
                measured.stream()
                        .filter(row -> names.contains(row.text("name")))
                        .map(row -> Plot.Curve.ofPercentiles(curveLabel(row), run(row.text("name"), kind)))
                        .toList());
    }

    private String curveLabel(Figures row) {
        return row.text("name")
                + (row.flag("valid") ? "" : " (void)")
                + (isCrowded(row) ? ", wants " + row.get("processors_wanted") + " processors" : "");
    }

    /** Shows each row's settings, grants, and quality of measurement. */
    private TextTable everyRow() {
        return TextTable.of(
                measured,
                "$ | wait | pinned | locked | huge_pages | prepared | sync | early_writeback | checked | rate_per_s |"
                        + " messages | processors_wanted | $ | $ | $ | late_sends | sender_cores | locked_bytes |"
                        + " huge_bytes",
                new Column("row", this::label),
                time("call p50", "append_call", "p50_us"),
                time("call p99", "append_call", "p99_us"),
                new Column("sender late p99", row -> Column.text(row.part("sender_late"), "p99_us")));
    }
}
