package dev.larder.lab.report;

import dev.larder.cli.Figures;
import dev.larder.lab.result.ResultFolder;
import dev.larder.lab.result.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The report of a result, defined once: for a terminal, for a page, and as files of its charts.
 *
 * <p>The terminal shows tables and notes; the page shows everything. The parts of every result (state, options, machine,
 * JVM and revision) are added.
 */
public final class Report {

    private final Figures result;
    private final List<Consumer<ReportPage>> page = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final String title;
    private final String lead;
    private List<Figures> judged = List.of();

    /** A report of a result, with only the parts of every result. */
    public Report(Figures result, String title, String lead) {
        this.result = result;
        this.title = title;
        this.lead = lead;
    }

    /** Adds rows that are valid or void individually: the report says how many are void. */
    public Report judged(List<Figures> rows) {
        judged = rows;
        return this;
    }

    /** Adds a table under a heading, unless it has no row. */
    public Report table(String heading, TextTable table) {
        if (!table.isEmpty()) {
            text.append('\n').append(heading).append('\n').append(table);
        }
        return pageTable(heading, table);
    }

    /** Adds a table to the page only. */
    public Report pageTable(String heading, TextTable table) {
        return table.isEmpty() ? this : add(to -> to.heading(heading).table(table));
    }

    /** Adds a table to the page, folded until the reader opens it. */
    public Report folded(String summary, TextTable table) {
        return table.isEmpty() ? this : add(to -> to.foldedTable(summary, table));
    }

    /** Adds a line to read with the tables. */
    public Report note(String line) {
        text.append('\n').append(line);
        return add(to -> to.paragraph(line));
    }

    /** Adds lines to read with the tables. */
    public Report notes(List<String> lines) {
        lines.forEach(this::note);
        if (!lines.isEmpty()) {
            text.append('\n');
        }
        return this;
    }

    /** Adds a line for each unmeasured row, with its name and the reason. */
    public Report notMeasured(List<Figures> rows, Function<Figures, String> name) {
        return notes(rows.stream()
                .flatMap(row -> Stream.of("skipped", "failed")
                        .filter(word -> row.get(word + "_reason") != null)
                        .map(word -> name.apply(row) + ": " + word + ", " + row.text(word + "_reason")))
                .toList());
    }

    /** Adds paragraphs to the page. */
    public Report paragraphs(String heading, List<String> paragraphs, String... more) {
        return add(to -> {
            to.heading(heading);
            paragraphs.forEach(to::paragraph);
            List.of(more).forEach(to::paragraph);
        });
    }

    /** Adds names and values to the page. */
    public Report facts(String heading, Figures facts) {
        return facts.names().isEmpty() ? this : add(to -> to.heading(heading).facts(facts));
    }

    /** Adds charts to the page, each also as a file. */
    public Report charts(List<? extends Chart> more) {
        charts.addAll(more);
        return add(to -> more.forEach(to::chart));
    }

    private Report add(Consumer<ReportPage> part) {
        page.add(part);
        return this;
    }

    /** Returns the verdict on the figures, in one line. */
    private String verdict() {
        return Verdict.of(result, countVoid() > 0 ? List.of("but " + voidRows()) : List.of());
    }

    private long countVoid() {
        return judged.stream().filter(row -> !row.flag("valid")).count();
    }

    private String voidRows() {
        return countVoid() + " of " + judged.size() + " rows are void";
    }

    /** Returns the text for a terminal. */
    public String text() {
        return text + "\n" + verdict() + "\n";
    }

    /** Writes {@code report.html}, and each chart as SVG. */
    public void write(ResultFolder folder) {
        charts.forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("report.html", html());
    }

    private String html() {
        ReportPage html = new ReportPage(title, lead);
        html.badge(result.flag("valid"), result.flag("valid") ? "valid" : "void: " + result.get("invalid_reason"));
        html.badge(!result.flag("disturbed"), result.flag("disturbed") ? "disturbed by the machine" : "not disturbed");
        if (countVoid() > 0) {
            html.badge(false, voidRows());
        }
        if (!result.flag("complete")) {
            html.badge(false, "not complete");
        }
        page.forEach(part -> part.accept(html));
        html.heading("Options").facts(result.part("options"));
        html.heading("Machine").facts(result.part("machine"));
        html.heading("JVM under test").facts(result.part("jvm"));
        return html.paragraph("Revision " + result.get("revision") + ", started " + result.get("started"))
                .html();
    }
}
