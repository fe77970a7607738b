package dev.larder.lab.database;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Report;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Texts;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import dev.larder.lab.result.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report of the experiment {@code database}. */
final class DatabaseReport {

    private static final List<String> STEPS = List.of("insert", "scan", "query");

    private static final Column STORE = new Column("store", DatabaseSummary::name);

    private final Figures result;
    private final Figures options;
    private final List<Figures> rows;

    DatabaseReport(Figures result) {
        this.result = result;
        options = result.part("options");
        rows = result.rows("rows");
    }

    Report report() {
        Report report = new Report(
                        result,
                        "Records in a log, in a map and in databases",
                        String.format(
                                Locale.ROOT,
                                "%,d records of %s inserted, made durable, read back and looked up.",
                                options.whole("records"),
                                ByteSize.format(options.whole("record_bytes"))))
                .paragraphs("What a database adds to a log", Texts.of("database.gives-more", "database.pays"))
                .charts(charts());
        result.part("summary").names().forEach(durability -> addTables(report, durability));
        report.notes(notes())
                .paragraphs(
                        "How it was measured", Texts.of("database.same-for-all", "database.no-key-index"), generator());
        rows.forEach(row -> report.facts(
                "Settings of " + DatabaseSummary.name(row) + ", durable at " + row.text("durability"),
                row.part("settings")));
        return report.folded("Every round (" + result.rows("runs").size() + ")", everyRound());
    }

    private void addTables(Report report, String durability) {
        String at = "durable at " + durability;
        List<Figures> own = Rows.where(rows, "durability", durability);
        report.table(
                        at + " (" + Durability.named(durability).meaning() + "; " + options.get("commit_every")
                                + " records a commit), medians (minimum..maximum)",
                        times(own))
                .table("How many times as long as Larder, " + at, ratios(durability))
                .table("Each operation of queries and replacements mixed, " + at, mixes(own));
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        result.rows("skipped")
                .forEach(store -> notes.add("skipped " + store.text("store") + ": " + store.text("reason")));
        return notes;
    }

    /** States the cost of the records alone, a part of every insert. */
    private String generator() {
        return "The generator is part of each insert: " + generator("generator_ms")
                + " where it copies records into memory (Larder, file), and " + generator("array_generator_ms")
                + " where JDBC needs an array for each.";
    }

    private String generator(String name) {
        return Unit.MILLISECONDS.text(new Sample(Rows.numbers(result.rows("generator"), name)).median());
    }

    private List<BarChart> charts() {
        return rows.isEmpty()
                ? List.of()
                : List.of(
                        chart("insert", "Insert and sync"),
                        chart("scan", "Scan of all records"),
                        chart("query", "Queries by number"));
    }

    /** Draws a bar for each store, a colour for each durability, whiskers from shortest to longest round. */
    private BarChart chart(String step, String title) {
        return BarChart.of(
                "database-" + step,
                title,
                Axis.of("time", Unit.MILLISECONDS),
                rows,
                DatabaseSummary::name,
                row -> "durable at " + row.text("durability"),
                step + "_ms");
    }

    private TextTable times(List<Figures> own) {
        double records = options.number("records");
        return TextTable.of(
                own,
                "$ | insert + sync=insert_ms (_min.._max) | $ | scan=scan_ms (_min.._max) | index=index_ms | "
                        + "queries=query_ms (_min.._max) | $ | on disk=bytes_on_disk",
                STORE,
                new Column("records", row -> Unit.PER_SECOND.text(records / row.number("insert_ms") * 1000)),
                new Column("a query", row -> each(row.number("query_ms"))));
    }

    private String each(double milliseconds) {
        return Unit.MILLISECONDS.text(milliseconds / options.number("queries"));
    }

    /** Shows the time of an operation, by the percentage that replaces a record. */
    private TextTable mixes(List<Figures> own) {
        List<?> shares = options.get("writes_percent") instanceof List<?> list ? list : List.of();
        if (shares.isEmpty()) {
            return new TextTable();
        }
        List<Column> columns = new ArrayList<>(List.of(STORE));
        shares.forEach(share ->
                columns.add(new Column(share + " % replaced", row -> each(row.number("mix_" + share + "_ms")))));
        return TextTable.of(own, columns);
    }

    /** Shows each store's time as a multiple of Larder's. */
    private TextTable ratios(String durability) {
        Figures summary = result.part("summary").part(durability);
        List<Figures> ratios = summary.part("insert").names().stream()
                .filter(name -> name.endsWith("_over_larder"))
                .filter(name -> summary.part("insert").get(name) != null)
                .map(name -> {
                    Figures row = new Figures()
                            .put("store", name.replace("_over_larder", "").replace('_', ' '));
                    STEPS.forEach(step -> row.put(step, summary.part(step).get(name)));
                    return row;
                })
                .toList();
        return TextTable.of(ratios, Column.all("store | insert | scan | query"));
    }

    private TextTable everyRound() {
        return TextTable.of(
                result.rows("runs"),
                "store | variant | durability | round | " + String.join(" | ", DatabaseSummary.TIMES)
                        + " | insert_cpu_ms | scan_cpu_ms | bytes_on_disk");
    }
}
