package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The report of the experiment {@code load}. */
final class LoadReport {

    private final Figures result;
    private final List<Figures> runs;
    private final Figures sweep;

    LoadReport(Figures result) {
        this.result = result;
        runs = result.rows("runs");
        sweep = result.part("sweep");
    }

    Report report() {
        Object server = result.get("server");
        return new Report(
                        result,
                        "Response time under open-loop load",
                        "The lab sends requests at planned times, whatever happens to earlier ones. A response time"
                                + " counts from the planned time. Target: "
                                + result.part("options").get("target")
                                + (server == null ? "" : " (" + server + ")") + ".")
                .judged(runs)
                .table("Response times", responseTimes())
                .notes(saturation())
                .folded("Every rate that the sweep tried", tried())
                .charts(charts());
    }

    private List<Chart> charts() {
        return Stream.of(
                        LoadCharts.percentiles(runs),
                        LoadCharts.byLoad(runs, result.part("saturation_per_s")),
                        LoadCharts.timelines(runs))
                .flatMap(List::stream)
                .toList();
    }

    private List<String> saturation() {
        return sweep.has("saturation_per_s")
                ? List.of("saturated at " + Column.text(sweep, "saturation_per_s")
                        + (sweep.flag("generator_limited") ? ", where the generator fell behind" : ""))
                : List.of();
    }

    private TextTable responseTimes() {
        List<Figures> rows = new ArrayList<>(runs);
        if (!result.part("theory").names().isEmpty()) {
            rows.add(new Figures()
                    .put("operation", "in theory")
                    .put("valid", true)
                    .putAll(result.part("theory")));
        }
        return TextTable.of(
                rows,
                "offered=offered_per_s | operation | answered=answered_per_s | mean=mean_us | 50 %=p50_us | "
                        + "90 %=p90_us | 99 %=p99_us | 99.9 %=p999_us | 99.99 %=p9999_us | max=max_us | "
                        + "sent late, 99 %=late_p99_us | $ | cores=cpu_cores | memory=memory_bytes | $",
                new Column("errors", row -> Unit.COUNT.text(row.number("errors") + row.number("unanswered"))),
                LoadCharts.REMARK);
    }

    private TextTable tried() {
        return TextTable.of(
                sweep.rows("tried"),
                "rate=rate_per_s | answered=answered_per_s | 99 %=p99_us | backlog grew by=backlog_growth | $",
                new Column(
                        "",
                        attempt -> attempt.flag("saturated")
                                ? "too much"
                                : attempt.flag("generator_late") ? "the generator was late" : "kept up"));
    }
}
