package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.ResultFolder;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The result of the experiment {@code load} as a table, as plots and as a page. */
final class LoadReport {

    private static final List<String> TIMES =
            List.of("mean_us", "p50_us", "p90_us", "p99_us", "p999_us", "p9999_us", "max_us");

    private final Figures result;
    private final List<Figures> runs;

    LoadReport(Figures result) {
        this.result = result;
        runs = result.rows("runs");
    }

    /** Writes the plots and {@code report.html}. */
    void write(ResultFolder folder) {
        List<Chart> charts = charts();
        charts.forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("report.html", page(charts));
    }

    private List<Chart> charts() {
        return Stream.of(
                        LoadCharts.percentiles(runs),
                        LoadCharts.byLoad(runs, result.part("saturation_per_s")),
                        LoadCharts.timelines(runs))
                .flatMap(List::stream)
                .toList();
    }

    /** Returns the result as text. */
    String text() {
        return "\n" + responseTimes() + "\n" + saturation() + verdict() + "\n";
    }

    private String saturation() {
        Figures sweep = result.part("sweep");
        return sweep.has("saturation_per_s")
                ? "saturated at " + Unit.PER_SECOND.text(sweep.number("saturation_per_s"))
                        + (sweep.flag("generator_limited") ? ", where the generator fell behind" : "") + "\n"
                : "";
    }

    private String verdict() {
        String verdict = result.flag("valid") ? "valid" : "VOID: " + result.get("invalid_reason");
        String complete = result.flag("complete") ? "" : ", not complete";
        return verdict + complete + (result.flag("disturbed") ? ", disturbed by the machine" : "");
    }

    private TextTable responseTimes() {
        TextTable table = new TextTable()
                .row(
                        "offered",
                        "operation",
                        "answered",
                        "mean",
                        "50 %",
                        "90 %",
                        "99 %",
                        "99.9 %",
                        "99.99 %",
                        "max",
                        "sent late, 99 %",
                        "errors",
                        "cores",
                        "memory",
                        "");
        runs.forEach(row -> table.row(cells(row)));
        if (!result.part("theory").names().isEmpty()) {
            table.row(theory(result.part("theory")));
        }
        return table;
    }

    private static String[] cells(Figures row) {
        return Stream.of(
                        Stream.of(
                                Unit.PER_SECOND.text(row.number("offered_per_s")),
                                row.text("operation"),
                                Unit.PER_SECOND.text(row.number("answered_per_s"))),
                        TIMES.stream().map(name -> Unit.MICROSECONDS.text(row.number(name))),
                        Stream.of(
                                Unit.MICROSECONDS.text(row.number("late_p99_us")),
                                String.valueOf(row.whole("errors") + row.whole("unanswered")),
                                fraction(row.number("cpu_cores")),
                                Unit.BYTES.text(row.number("memory_bytes")),
                                remark(row)))
                .flatMap(cells -> cells)
                .toArray(String[]::new);
    }

    private static String fraction(double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String remark(Figures row) {
        String saturated = row.flag("saturated") ? "saturated " : "";
        return saturated + (!row.flag("valid") ? "void" : row.flag("disturbed") ? "disturbed" : "");
    }

    private static String[] theory(Figures theory) {
        return Stream.of(
                        Stream.of("in theory", "", ""),
                        TIMES.stream().map(name -> Unit.MICROSECONDS.text(theory.number(name))),
                        Stream.of("", "", "", "", ""))
                .flatMap(cells -> cells)
                .toArray(String[]::new);
    }

    private String page(List<Chart> charts) {
        Figures options = result.part("options");
        ReportPage page = new ReportPage(
                "Response time under open-loop load",
                "Requests leave in their time whatever becomes of those before; a response time counts from when its"
                        + " request was to leave. Target: "
                        + target(options) + ".");
        page.badge(result.flag("valid"), result.flag("valid") ? "valid" : "void: " + result.get("invalid_reason"));
        page.badge(!result.flag("disturbed"), result.flag("disturbed") ? "disturbed by the machine" : "not disturbed");
        if (!result.flag("complete")) {
            page.badge(false, "not complete");
        }
        page.heading("Response times").table(responseTimes());
        if (result.part("sweep").has("tried")) {
            page.paragraph(saturation()).foldedTable("Every rate that the sweep tried", tried());
        }
        charts.forEach(page::chart);
        page.heading("Options").facts(options).heading("Machine").facts(result.part("machine"));
        page.heading("JVM of the generator").facts(result.part("jvm"));
        return page.paragraph("Revision " + result.get("revision") + ", started " + result.get("started"))
                .html();
    }

    private String target(Figures options) {
        Object server = result.get("server");
        return options.get("target") + (server == null ? "" : " (" + server + ")");
    }

    private TextTable tried() {
        TextTable table = new TextTable().row("rate", "answered", "99 %", "backlog grew by", "");
        for (Figures attempt : result.part("sweep").rows("tried")) {
            table.row(
                    Unit.PER_SECOND.text(attempt.number("rate_per_s")),
                    Unit.PER_SECOND.text(attempt.number("answered_per_s")),
                    Unit.MICROSECONDS.text(attempt.number("p99_us")),
                    fraction(attempt.number("backlog_growth")),
                    attempt.flag("saturated")
                            ? "too much"
                            : attempt.flag("generator_late") ? "the generator was late" : "kept up");
        }
        return table;
    }
}
