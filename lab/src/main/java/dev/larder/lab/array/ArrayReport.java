package dev.larder.lab.array;

import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Plot;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The report of the experiment {@code array}. */
final class ArrayReport {

    private static final String TIMES =
            "answered=answered_per_s | mean=mean_us | 50 %=p50_us | 99 %=p99_us | 99.9 %=p999_us | max=max_us | "
                    + "sent late, 99 %=late_p99_us | ";
    private static final String COSTS = "cores=cpu_cores | processor/op=cpu_us_per_op | disk/op=disk_bytes_per_op | "
            + "loopback/op=loopback_bytes_per_op | memory=memory_bytes | threads | $";
    private static final List<String> TIMELINE = Rows.names("mean_us p99_us p999_us max_us");

    private final Figures result;
    private final List<Figures> runs;
    private final List<Figures> scaling;

    ArrayReport(Figures result) {
        this.result = result;
        runs = Rows.where(result.rows("runs"), "operation", "all");
        scaling = result.rows("scaling");
    }

    Report report() {
        return new Report(
                        result,
                        "An array of servers beside a single Redis",
                        "Clients, nodes and redis-server share the processors of one host. In closed loops a client"
                            + " sends a request when it has the answer to another: they show throughput. In open loops"
                            + " clients send each request at its planned time: they show how long a user waits.")
                .judged(runs)
                .table("Load phase: each key is written, after a warm-up", filled())
                .table("Closed loops", times("closed", "out=outstanding"))
                .table("Open loops, evenly", times("open", "offered=offered_per_s"))
                .notes(saturations())
                .table("A node is killed and comes back", failover())
                .table("Stripes", stripes())
                .note("Processor, disk, memory and threads are those of all servers; loopback counts what clients and"
                        + " servers send, once.")
                .charts(charts());
    }

    private TextTable filled() {
        return TextTable.of(
                result.rows("filled"),
                "subject | keys | keys a second=keys_per_s | values a second=value_bytes_a_second | "
                        + "disk bytes a value byte=disk_per_value_byte | processor/op=cpu_us_per_op | "
                        + "loopback/op=loopback_bytes_per_op | memory=memory_bytes");
    }

    private List<Figures> loops(String loop) {
        return Rows.where(runs, "loop", loop);
    }

    private TextTable times(String loop, String load) {
        return TextTable.of(loops(loop), "subject | " + load + " | " + TIMES + COSTS, LoadCharts.REMARK);
    }

    private List<String> saturations() {
        Figures saturations = result.part("saturation_per_s");
        return saturations.names().stream()
                .filter(subject -> Double.isFinite(saturations.number(subject)))
                .map(subject -> subject + " saturated at " + Unit.PER_SECOND.text(saturations.number(subject))
                        + (result.part("sweeps").part(subject).flag("generator_limited")
                                ? ", where the clients fell behind"
                                : ""))
                .toList();
    }

    private TextTable failover() {
        return TextTable.of(
                loops("failover"),
                "offered=offered_per_s | longest wait of a write=longest_write_ms | "
                        + "longest wait of a read=longest_read_ms | calm after the kill=calm_after_kill_ms | "
                        + "calm after the return=calm_after_return_ms | " + TIMES + "$",
                LoadCharts.REMARK);
    }

    private TextTable stripes() {
        return TextTable.of(
                scaling,
                "stripes | out=outstanding | answered=answered_per_s | mean=mean_us | 99 %=p99_us | 99.9 %=p999_us | "
                        + COSTS + " | cores at rest=resting_cores | memory at rest=resting_memory_bytes | "
                        + "threads at rest=resting_threads",
                LoadCharts.REMARK);
    }

    private List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        Rows.by(loops("open"), row -> row.text("subject")).forEach((subject, rows) -> {
            charts.addAll(LoadCharts.byLoad(rows, result.part("saturation_per_s")));
            charts.add(LoadCharts.percentiles(
                    "array-percentiles-" + subject,
                    "Response time by percentile: " + subject,
                    rows,
                    row -> Unit.PER_SECOND.text(row.number("rate_per_s"))));
            Figures last = rows.getLast();
            charts.add(timeline("array-timeline-" + subject, subject + " at " + rate(last), last));
        });
        charts.add(closed("answered_per_s", "Answers", Axis.of("answered", Unit.PER_SECOND)));
        charts.add(closed("mean_us", "Mean response time", Axis.of("response time", Unit.MICROSECONDS)));
        loops("failover").forEach(row -> {
            charts.add(timeline("array-failover", "A node is killed and comes back, at " + rate(row), row));
            charts.add(answers(row));
        });
        if (!scaling.isEmpty()) {
            charts.add(byStripes("answered_per_s", "Answers by stripes", Axis.of("answered", Unit.PER_SECOND)));
            charts.add(byStripes(
                    "cpu_us_per_op", "Processor an operation, by stripes", Axis.of("time", Unit.MICROSECONDS)));
        }
        return charts;
    }

    private static String rate(Figures row) {
        return Unit.PER_SECOND.text(row.number("rate_per_s"));
    }

    private static Chart timeline(String name, String title, Figures row) {
        return LoadCharts.timeline(name, title, row, TIMELINE);
    }

    private static Chart answers(Figures row) {
        return new Plot(
                        "array-failover-answers",
                        "Answers a second while a node is killed and comes back",
                        Axis.of("time since the start of the load", Unit.SECONDS),
                        Axis.of("answered", Unit.PER_SECOND),
                        List.of(Plot.Curve.of(
                                "answered", row.rows("timeline"), each -> each.number("second"), "answered_per_s")))
                .with(List.of(
                        new Plot.Mark(row.number("killed_second"), "killed"),
                        new Plot.Mark(row.number("back_second"), "started")));
    }

    private Chart closed(String figure, String title, Axis axis) {
        return new Plot(
                "array-closed-" + figure.replaceAll("_.*", ""),
                title + " by requests that are out",
                Axis.of("requests out", Unit.COUNT),
                axis,
                curves(loops("closed"), row -> row.text("subject"), "outstanding", figure));
    }

    private Chart byStripes(String figure, String title, Axis axis) {
        return new Plot(
                "array-stripes-" + figure.replaceAll("_.*", ""),
                title,
                Axis.of("stripes", Unit.COUNT),
                axis,
                curves(scaling, row -> row.get("outstanding") + " requests out", "stripes", figure));
    }

    private static List<Plot.Curve> curves(List<Figures> rows, Function<Figures, String> curve, String x, String y) {
        return Rows.by(rows, curve).entrySet().stream()
                .map(own -> Plot.Curve.of(own.getKey(), own.getValue(), row -> row.number(x), y))
                .toList();
    }
}
