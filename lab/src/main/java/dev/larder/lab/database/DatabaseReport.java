package dev.larder.lab.database;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.ResultFolder;
import dev.larder.lab.result.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The result of the experiment {@code database} as tables, as plots and as a page. */
final class DatabaseReport {

    private static final List<String> STEPS = List.of("insert", "scan", "query");

    private static final String GIVES_MORE =
            "A log keeps records in the order in which they came, and gives them back in that order, or by the"
                + " position that an append returned. That is all it does; a map finds them by one key. A database"
                + " also finds records by any key, through indexes that every write keeps up; answers questions that"
                + " nobody thought of when the records were written (filters, joins, sums, sorting); changes and"
                + " deletes records in place; makes changes of several records and tables visible together or not at"
                + " all, and keeps concurrent users out of each other's half-done work; checks constraints; lets its"
                + " schema change while it is used; and has users, rights, replication and decades of tools.";

    private static final String PAYS =
            "If you need any of this, use a database. The figures here say what it costs when"
                    + " all you need is to keep records and to read them again.";

    private static final String NO_KEY_INDEX = "Queries by number: a log has no index by key. The reader of the Larder"
        + " queue keeps a table of positions, 8 bytes a record, which it makes by one walk over the queue (\"index\");"
        + " comparisons of queries count that walk as Larder's. The databases keep their primary key while records are"
        + " inserted, or make it at the end of the insert (PostgreSQL, as its documentation advises). Larder's map"
        + " (\"larder-map\") has an index of its own.";

    private static final String SAME_FOR_ALL = "The same for all: one thread, one child process a store, the same"
        + " records from the same generator; everything is made durable within the time of the insert; what others"
        + " left to be written back is written before the next store begins; nothing is evicted, so scans and queries"
        + " read what was just written, from the page cache or from the store's own. A scan checks the number and the"
        + " sum of every record, a query every byte. \"file\" is no store: it is the machine's own limit, plain pwrite"
        + " and fsync of the same bytes, and a loop over the mapped file.";

    private static final String GROWTH =
            "New records: so many of what is written in the mixed work is the next record that is not there yet, an"
                    + " INSERT of a database, a put of the map, a message whose position goes into the table of the"
                    + " queue's reader; what is read or replaced is drawn from all records that are there by then. No"
                    + " store was told of them. When all shares are done, every byte of up to 20,000 of them is looked"
                    + " at.";

    private final Figures result;
    private final List<Figures> rows;

    DatabaseReport(Figures result) {
        this.result = result;
        rows = result.rows("rows");
    }

    /** Writes the plots ({@code database-insert.svg} and so on) and {@code report.html}. */
    void write(ResultFolder folder) {
        List<BarChart> charts = charts();
        charts.forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("report.html", page(charts));
    }

    private List<BarChart> charts() {
        if (rows.isEmpty()) {
            return List.of();
        }
        return List.of(
                chart("insert", "Insert and sync"),
                chart("scan", "Scan of all records"),
                chart("query", "Queries by number"));
    }

    /** A bar for each store, a colour for each durability; whiskers from the shortest round to the longest. */
    private BarChart chart(String step, String title) {
        List<String> stores =
                rows.stream().map(DatabaseSummary::name).distinct().toList();
        List<BarChart.Group> groups = result.part("summary").names().stream()
                .map(durability -> new BarChart.Group("durable at " + durability, bars(step, durability, stores)))
                .toList();
        return new BarChart("database-" + step, title, Axis.of("time", Unit.MILLISECONDS), stores, groups);
    }

    private List<BarChart.Bar> bars(String step, String durability, List<String> stores) {
        Map<String, Figures> byStore =
                rows(durability).stream().collect(Collectors.toMap(DatabaseSummary::name, row -> row));
        return stores.stream().map(store -> bar(step, byStore.get(store))).toList();
    }

    private static BarChart.Bar bar(String step, @Nullable Figures row) {
        return row == null
                ? BarChart.Bar.none()
                : new BarChart.Bar(
                        row.number(step + "_ms"), row.number(step + "_min_ms"), row.number(step + "_max_ms"));
    }

    /** Returns the tables as text. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (String durability : result.part("summary").names()) {
            text.append('\n').append(heading(durability)).append('\n').append(times(durability));
            text.append('\n').append(ratios(durability));
            if (hasMixes()) {
                text.append('\n').append(mixes(durability));
            }
            if (grows()) {
                text.append(growth()).append('\n');
            }
        }
        text.append('\n');
        skipped().forEach(line -> text.append(line).append('\n'));
        return text.append(verdict()).append('\n').toString();
    }

    private String verdict() {
        String verdict = result.flag("valid") ? "valid" : "VOID: " + result.get("invalid_reason");
        String complete = result.flag("complete") ? "" : ", not complete";
        return verdict + complete + (result.flag("disturbed") ? ", disturbed by the machine" : "");
    }

    private String heading(String durability) {
        Figures options = result.part("options");
        String commits = options.get("commit_every") + " records a commit";
        return "durable at " + durability + " (" + Durability.named(durability).meaning() + "; " + commits
                + "), medians in ms (minimum..maximum)";
    }

    private List<Figures> rows(String durability) {
        return rows.stream()
                .filter(row -> row.text("durability").equals(durability))
                .toList();
    }

    private TextTable times(String durability) {
        TextTable table = new TextTable()
                .row("store", "insert + sync", "records/s", "scan", "index", "queries", "us a query", "on disk");
        for (Figures row : rows(durability)) {
            table.row(
                    DatabaseSummary.name(row),
                    spread(row, "insert"),
                    rate(row),
                    spread(row, "scan"),
                    whole(row.number("index_ms")),
                    spread(row, "query"),
                    microsecondsEach(row),
                    ByteSize.format(row.whole("bytes_on_disk")));
        }
        return table;
    }

    /** What one operation takes, by how many of a hundred replace a record. */
    private TextTable mixes(String durability) {
        List<String> shares = result.part("options").get("writes_percent") instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
        TextTable table = new TextTable();
        List<String> head = new ArrayList<>(List.of("us an operation"));
        shares.forEach(share -> head.add(share + (grows() ? " % written" : " % replaced")));
        if (grows()) {
            head.add("records then");
        }
        table.row(head.toArray(String[]::new));
        for (Figures row : rows(durability)) {
            List<String> cells = new ArrayList<>(List.of(DatabaseSummary.name(row)));
            shares.forEach(share -> cells.add(microseconds(row.number("mix_" + share + "_ms"))));
            if (grows()) {
                cells.add(String.format(Locale.ROOT, "%,d", row.whole("records_end")));
            }
            table.row(cells.toArray(String[]::new));
        }
        return table;
    }

    /** Returns how many of a hundred writes are new records; results of before there was such an option have none. */
    private long newKeysPercent() {
        Long percent = result.part("options").wholeOrNull("new_keys_percent");
        return percent == null ? 0 : percent;
    }

    private boolean grows() {
        return newKeysPercent() > 0;
    }

    private String growth() {
        return newKeysPercent() + " % of what is written are new records; there were "
                + String.format(
                        Locale.ROOT, "%,d before.", result.part("options").whole("records"));
    }

    private String microseconds(double milliseconds) {
        double queries = result.part("options").number("queries");
        return Double.isFinite(milliseconds / queries)
                ? String.format(Locale.ROOT, "%.2f", milliseconds * 1000 / queries)
                : "-";
    }

    private boolean hasMixes() {
        return result.part("options").get("writes_percent") instanceof List<?> list && !list.isEmpty();
    }

    private static String spread(Figures row, String step) {
        return whole(row.number(step + "_ms")) + " (" + whole(row.number(step + "_min_ms")) + ".."
                + whole(row.number(step + "_max_ms")) + ")";
    }

    private String rate(Figures row) {
        double records = result.part("options").number("records");
        return String.format(Locale.ROOT, "%,.0f", records / row.number("insert_ms") * 1000);
    }

    private String microsecondsEach(Figures row) {
        double queries = result.part("options").number("queries");
        return queries == 0 ? "-" : String.format(Locale.ROOT, "%.2f", row.number("query_ms") * 1000 / queries);
    }

    /** How many times as long as Larder each store takes. */
    private TextTable ratios(String durability) {
        TextTable table = new TextTable().row("over larder", "insert + sync", "scan", "query");
        Figures summary = result.part("summary").part(durability);
        for (String name : summary.part("insert").names()) {
            if (name.endsWith("_over_larder")) {
                List<String> cells = new ArrayList<>(List.of(words(name)));
                STEPS.forEach(step -> cells.add(ratio(summary.part(step).number(name))));
                table.row(cells.toArray(String[]::new));
            }
        }
        return table;
    }

    private static String words(String name) {
        return name.replace("_over_larder", "").replace('_', ' ');
    }

    private static String ratio(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String whole(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }

    private List<String> skipped() {
        return result.rows("skipped").stream()
                .map(store -> "skipped " + store.text("store") + ": " + store.text("reason"))
                .toList();
    }

    private String page(List<BarChart> charts) {
        Figures options = result.part("options");
        ReportPage page = new ReportPage(
                "Records in a log, in a map and in databases",
                String.format(
                        Locale.ROOT,
                        "%,d records of %s inserted, made durable, read back and looked up.",
                        options.whole("records"),
                        ByteSize.format(options.whole("record_bytes"))));
        badges(page);
        page.heading("What a database gives that a log does not")
                .paragraph(GIVES_MORE)
                .paragraph(PAYS);
        charts.forEach(page::chart);
        for (String durability : result.part("summary").names()) {
            page.heading("Figures: " + heading(durability)).table(times(durability));
            page.heading("How many times as long as Larder, durable at " + durability)
                    .table(ratios(durability));
            if (hasMixes()) {
                page.heading("Queries and replacements mixed, durable at " + durability)
                        .table(mixes(durability));
            }
            if (grows()) {
                page.paragraph(growth());
            }
        }
        page.heading("How it was measured").paragraph(SAME_FOR_ALL).paragraph(NO_KEY_INDEX);
        if (grows()) {
            page.paragraph(GROWTH);
        }
        page.paragraph(generator());
        skipped().forEach(page::paragraph);
        settings(page);
        page.foldedTable("Every round (" + result.rows("runs").size() + ")", everyRound());
        page.heading("Options").facts(options).heading("Machine").facts(result.part("machine"));
        page.heading("JVM of Larder's child").facts(result.part("jvm"));
        return page.paragraph("Revision " + result.get("revision") + ", started " + result.get("started"))
                .html();
    }

    private void badges(ReportPage page) {
        page.badge(result.flag("valid"), result.flag("valid") ? "valid" : "void: " + result.get("invalid_reason"));
        page.badge(!result.flag("disturbed"), result.flag("disturbed") ? "disturbed by the machine" : "not disturbed");
        if (!result.flag("complete")) {
            page.badge(false, "not complete");
        }
    }

    /** What the records alone cost, which is a part of every insert. */
    private String generator() {
        return "Making the records takes, of each insert, " + whole(generator("generator_ms"))
                + " ms where they are copied into memory (Larder, file), and "
                + whole(generator("array_generator_ms")) + " ms where JDBC wants an array for each.";
    }

    private double generator(String name) {
        return new Sample(result.rows("generator").stream()
                        .map(round -> round.number(name))
                        .toList())
                .median();
    }

    private void settings(ReportPage page) {
        page.heading("The settings of each store");
        for (Figures row : rows) {
            page.paragraph(DatabaseSummary.name(row) + ", durable at " + row.text("durability"))
                    .facts(row.part("settings"));
        }
    }

    private TextTable everyRound() {
        List<String> names = new ArrayList<>(List.of("store", "variant", "durability", "round"));
        names.addAll(DatabaseSummary.TIMES);
        names.addAll(List.of("insert_cpu_ms", "scan_cpu_ms", "bytes_on_disk"));
        TextTable table = new TextTable().row(names.toArray(String[]::new));
        for (Figures run : result.rows("runs")) {
            table.row(names.stream().map(name -> cell(run, name)).toArray(String[]::new));
        }
        return table;
    }

    private static String cell(Figures run, String name) {
        return run.get(name) instanceof Double number
                ? String.format(Locale.ROOT, "%.1f", number)
                : String.valueOf(run.get(name));
    }
}
