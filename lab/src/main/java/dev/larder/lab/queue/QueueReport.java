package dev.larder.lab.queue;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Plot;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** The report of the experiment {@code queue}. */
final class QueueReport {

    private static final double GIB = 1L << 30;
    private static final String WRITTEN = "GiB written so far";

    private final Figures result;
    private final List<Figures> bursts;
    private final Figures rivals;

    QueueReport(Figures result) {
        this.result = result;
        bursts = result.rows("bursts");
        rivals = result.part("rivals");
    }

    Report report() {
        Report report = new Report(
                        result,
                        "A queue larger than memory",
                        "Bursts of messages: written, synced, read back and verified; " + result.get("memory") + ".")
                .charts(charts());
        Figures summaries = result.part("summaries");
        for (String append : summaries.names()) {
            report.table("For each GiB, " + append + " appends", times(summaries.part(append)))
                    .table("Ratios, " + append + " appends", ratios(summaries.part(append)));
        }
        report.table("Beside rivals, for each GiB (medians)", rivals());
        if (result.has("rehearsal")) {
            report.notes(bursts.isEmpty() ? List.of() : List.of(rehearsal()))
                    .facts("On a file system that compresses", result.part("rehearsal"));
        }
        return report.folded(
                "Every burst (" + bursts.size() + ")",
                TextTable.of(
                        bursts,
                        "index | append | write_ms | sync_ms | read_ms | prepare_ms | cpu_ms | faults | gc_count |"
                                + " copy_ms | sum_ms | first_touch_ms | pwrite_ms | pwrite_limited_ms"));
    }

    /** States what was written, and the outcome. */
    private String rehearsal() {
        Figures last = bursts.getLast();
        long written = last.whole("begin_bytes") + last.whole("bytes");
        return "on " + result.part("rehearsal").text("file_system") + ", "
                + result.part("rehearsal").text("mount_options") + ": " + ByteSize.format(written) + " of messages, "
                + ByteSize.format(last.whole("volume_used_bytes")) + " used, baselines included";
    }

    private static TextTable times(Figures summary) {
        List<Figures> rows = new ArrayList<>();
        for (String part : List.of("below", "beyond")) {
            Figures times = summary.part(part);
            times.names().forEach(name -> {
                Figures row = new Figures()
                        .put(
                                "name",
                                part + " memory: " + name.replace("_ms", "").replace('_', '+'));
                times.part(name)
                        .names()
                        .forEach(each -> row.put(each + "_ms", times.part(name).get(each)));
                rows.add(row);
            });
        }
        return TextTable.of(rows, "=name | mean=mean_ms | median=median_ms | p95=p95_ms | max=max_ms");
    }

    private static TextTable ratios(Figures summary) {
        List<Figures> rows = summary.names().stream()
                .filter(name -> summary.get(name) instanceof Number && !name.equals("memory_limit_bytes"))
                .map(name -> new Figures().put("ratio", name.replace('_', ' ')).put("value", summary.number(name)))
                .toList();
        return TextTable.of(rows, Column.all("ratio | value"));
    }

    private TextTable rivals() {
        List<Figures> rows = new ArrayList<>();
        if (!rivals.names().isEmpty()) {
            for (String append : result.part("summaries").names()) {
                rows.add(rival("larder, " + append, append, bursts, new Figures()));
                rivals.names()
                        .forEach(name -> rows.add(rival(
                                name,
                                append,
                                rivals.part(name).rows("bursts"),
                                rivals.part(name).part("ratios").part(append))));
            }
        }
        return TextTable.of(
                rows,
                "subject | write=write_ms | sync=sync_ms | read=read_ms | read copied=read_copied_ms | "
                        + "our write / its=write | our read / its=read | copied / its=read_copied");
    }

    private static Figures rival(String name, String append, List<Figures> all, Figures ratios) {
        List<Figures> own = Rows.where(all, "append", append);
        Figures row = new Figures().put("subject", name);
        for (String time : List.of("write_ms", "sync_ms", "read_ms", "read_copied_ms")) {
            row.put(time, QueueSummary.sample(own, QueueSummary.of(time)).median());
        }
        return row.putAll(ratios);
    }

    private List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        if (bursts.isEmpty()) {
            return charts;
        }
        for (String append : result.part("summaries").names()) {
            List<Figures> own = Rows.where(bursts, "append", append);
            charts.add(timesChart(append, own));
            charts.add(parts(append, own));
        }
        charts.add(memory());
        if (!rivals.names().isEmpty()) {
            charts.add(rivalTimes());
        }
        return charts;
    }

    /** Draws the total time of each burst by its parts: each curve stands on the one before. */
    private static Plot parts(String append, List<Figures> rows) {
        List<Plot.Curve> curves = new ArrayList<>();
        List<Double> sums = Collections.nCopies(rows.size(), 0.0);
        for (String part : List.of("write", "sync", "read")) {
            List<Double> below = sums;
            List<Double> times = perGib(rows, part + "_ms");
            sums = IntStream.range(0, rows.size())
                    .mapToObj(index -> below.get(index) + times.get(index))
                    .toList();
            curves.add(new Plot.Curve(curves.isEmpty() ? part : "and " + part, written(rows), sums));
        }
        return lines("queue-bursts-" + append, "Each burst by its parts, piled up, " + append + " appends", curves);
    }

    private static Plot timesChart(String append, List<Figures> rows) {
        return lines(
                "queue-times-" + append,
                "Time for each burst, " + append + " appends",
                List.of(
                        line("write", rows, "write_ms"),
                        line("sync", rows, "sync_ms"),
                        line("read", rows, "read_ms"),
                        line("copy into present pages", rows, "copy_ms").asBaseline(),
                        line("first touch of a mapped file", rows, "first_touch_ms")
                                .asBaseline(),
                        line("pwrite and sync", rows, "pwrite_ms").asBaseline(),
                        line("pwrite and sync, in the limit", rows, "pwrite_limited_ms")
                                .asBaseline()));
    }

    private static Plot lines(String name, String title, List<Plot.Curve> lines) {
        return new Plot(name, title, Axis.plain(WRITTEN), Axis.plain("ms per GiB"), lines);
    }

    private Plot memory() {
        return new Plot(
                "queue-memory",
                "Memory after each burst",
                Axis.plain(WRITTEN),
                Axis.plain("GiB"),
                List.of(
                        gibibytes("mapped (VIRT)", "virt_bytes"),
                        gibibytes("resident (RES)", "res_bytes"),
                        gibibytes("files in the page cache", "cached_bytes"),
                        gibibytes("memory limit", "limit_bytes").asBaseline()));
    }

    private Plot rivalTimes() {
        List<Plot.Curve> lines = new ArrayList<>();
        for (String time : List.of("write", "read")) {
            lines.add(line("larder: " + time, bursts, time + "_ms"));
            rivals.names()
                    .forEach(name ->
                            lines.add(line(name + ": " + time, rivals.part(name).rows("bursts"), time + "_ms")
                                    .asBaseline()));
        }
        return lines("queue-rivals", "Beside rivals", lines);
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

    private static List<Double> perGib(List<Figures> rows, String time) {
        return rows.stream().map(QueueSummary.of(time)::applyAsDouble).toList();
    }

    private static Plot.Curve line(String label, List<Figures> rows, String time) {
        return new Plot.Curve(label, written(rows), perGib(rows, time));
    }

    private Plot.Curve gibibytes(String label, String name) {
        return new Plot.Curve(
                label,
                written(bursts),
                bursts.stream().map(burst -> burst.number(name) / GIB).toList());
    }
}
