package dev.larder.lab.map;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.ResultFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of the experiment {@code map} as tables, charts and a page. */
final class MapReport {

    private static final String HOW = "Each subject has a process of its own, and one at a time is there. Before it is"
        + " timed its answers are compared, ten thousand puts, removals and gets, with those of a plain map, and after"
        + " a load every byte of up to 20,000 values is looked at. Then threads choose keys at random, all equally"
        + " likely, and do one operation after another; each eighth is timed. time/larder is how many times as long an"
        + " operation takes as that of Larder in the same round. get copies the value into an array, read adds up its"
        + " words where it lies, put replaces it, mix-10 is gets with 10 % of puts.";

    private static final String PLAIN = "Right before each operation of a subject, plain memory does the same in a"
            + " process of its own: records of the same size and number on huge pages, without an index, so each access"
            + " is one miss. time/plain is how many times as long an operation takes as there.";

    private static final String MEMORY = "Memory is what has come since before the load: what lives on the heap after a"
            + " collection, private pages outside it (the heap was touched before), and the pages of its files that are"
            + " in memory. Overhead is what is left without keys and values.";

    private static final String CLEANING =
            "Written for one: bytes that the map wrote for one that was put, with those that its cleaner carried on."
                    + " Least: what no cleaner that takes the oldest first can write less of, where as much of what is"
                    + " used is alive. A log takes keys and values one after the other, and finds nothing.";

    private static final String ERRORS =
            "Wrong: operations that found nothing, or another value than was put. A map that"
                    + " may lose entries, as a cache does, shows them here.";

    private static final String GROWTH =
            "New keys: so many of the puts are of the next key that is not there yet; all threads share one row of"
                + " numbers, and whatever is looked for is drawn from all keys that are there by then. Who is sized in"
                + " advance (Chronicle Map, LMDB, OHC, Ehcache, Caffeine, ConcurrentHashMap, the plain files) was told"
                + " of the most entries that could come in that time; Larder, RocksDB, MapDB and MVStore are told of"
                + " none, but RocksDB's cache and the memory of the others are large enough for them. Plain memory"
                + " does not grow: its records are as many as were loaded, and a new key is one of them. What has come"
                + " is looked at, every byte, as what was loaded is.";

    /** Of what was not measured. */
    private static final String NONE = "-";

    private final Figures result;
    private final List<Figures> rows;
    private final List<Figures> loads;

    MapReport(Figures result) {
        this.result = result;
        rows = result.rows("rows");
        loads = result.rows("loads");
    }

    /** Writes the charts and {@code report.html}. */
    void write(ResultFolder folder) {
        List<Chart> charts = charts();
        charts.forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("report.html", page(charts));
    }

    /** Returns the tables as text. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (String shape : shapes()) {
            text.append(shape).append('\n').append(loads(shape)).append('\n');
            text.append(operations(shape)).append('\n');
            if (has("written_for_one")) {
                text.append(cleaning(shape)).append('\n');
            }
            if (has("safepoints")) {
                text.append(safepoints(shape)).append('\n');
            }
            if (grows()) {
                text.append(growth(shape)).append('\n').append(grown(shape)).append('\n');
            }
        }
        roomReached().forEach(line -> text.append(line).append('\n'));
        notMeasured().forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private List<String> shapes() {
        return loads.stream().map(row -> row.text("shape")).distinct().toList();
    }

    private static List<Figures> of(List<Figures> rows, String shape) {
        return rows.stream().filter(row -> row.text("shape").equals(shape)).toList();
    }

    private TextTable loads(String shape) {
        TextTable table = new TextTable()
                .row("subject", "loaded", "sync", "memory", "heap", "outside", "cached", "overhead", "close", "open");
        for (Figures row : of(loads, shape)) {
            table.row(
                    row.text("subject"),
                    Unit.PER_SECOND.text(row.number("load_per_s")),
                    Unit.MILLISECONDS.text(row.number("sync_ms")),
                    bytes(row, "memory_bytes"),
                    bytes(row, "heap_bytes"),
                    bytes(row, "outside_bytes"),
                    bytes(row, "cached_file_bytes"),
                    overhead(row, "overhead_bytes_per_entry"),
                    Unit.MILLISECONDS.text(row.number("close_ms")),
                    Unit.MILLISECONDS.text(row.number("reopen_ms")));
        }
        return table;
    }

    private static String bytes(Figures row, String name) {
        return ByteSize.format(Math.round(row.number(name)));
    }

    private TextTable operations(String shape) {
        TextTable table = new TextTable()
                .row(
                        "operation",
                        "threads",
                        "subject",
                        "per second",
                        "p50",
                        "p99",
                        "p99.9",
                        "time/plain (min, max)",
                        "time/larder",
                        "wrong");
        for (Figures row : byOperation(shape)) {
            table.row(
                    row.text("operation"),
                    row.text("threads"),
                    row.text("subject"),
                    Unit.PER_SECOND.text(row.number("answered_per_s")),
                    Unit.MICROSECONDS.text(row.number("p50_us")),
                    Unit.MICROSECONDS.text(row.number("p99_us")),
                    Unit.MICROSECONDS.text(row.number("p999_us")),
                    overPlain(row),
                    ratio(row.number("time_over_larder")),
                    row.text("errors"));
        }
        return table.withoutColumnsOf(NONE);
    }

    private static String overPlain(Figures row) {
        String median = ratio(row.number("time_over_plain"));
        return median.equals(NONE)
                ? NONE
                : median + " (" + ratio(row.number("time_over_plain_min")) + ", "
                        + ratio(row.number("time_over_plain_max")) + ")";
    }

    private boolean has(String figure) {
        return rows.stream().anyMatch(row -> Double.isFinite(row.number(figure)));
    }

    /** What was written again to give space back. */
    private TextTable cleaning(String shape) {
        TextTable table = new TextTable()
                .row("operation", "threads", "subject", "written for one", "least", "alive of used", "alive of files");
        for (Figures row : byOperation(shape)) {
            if (Double.isFinite(row.number("written_for_one"))) {
                table.row(
                        row.text("operation"),
                        row.text("threads"),
                        row.text("subject"),
                        ratio(row.number("written_for_one")),
                        ratio(row.number("least_for_one")),
                        ratio(row.number("alive_of_used")),
                        ratio(row.number("alive_of_files")));
            }
        }
        return table;
    }

    /** How long it took until all threads stood. */
    private TextTable safepoints(String shape) {
        TextTable table = new TextTable()
                .row(
                        "operation",
                        "threads",
                        "subject",
                        "safepoints",
                        "until all stand: p50",
                        "p99",
                        "p99.9",
                        "longest");
        for (Figures row : byOperation(shape)) {
            table.row(
                    row.text("operation"),
                    row.text("threads"),
                    row.text("subject"),
                    String.format(Locale.ROOT, "%.0f", row.number("safepoints")),
                    Unit.MICROSECONDS.text(row.number("safepoint_p50_us")),
                    Unit.MICROSECONDS.text(row.number("safepoint_p99_us")),
                    Unit.MICROSECONDS.text(row.number("safepoint_p999_us")),
                    Unit.MICROSECONDS.text(row.number("safepoint_max_us")));
        }
        return table;
    }

    private boolean grows() {
        return newKeysPercent() > 0;
    }

    /** Results of before there was such an option have none. */
    private long newKeysPercent() {
        Long percent = result.part("options").wholeOrNull("new_keys_percent");
        return percent == null ? 0 : percent;
    }

    /** How many entries there were. */
    private TextTable growth(String shape) {
        TextTable table =
                new TextTable().row("operation", "threads", "subject", "entries before", "entries behind", "new");
        for (Figures row : byOperation(shape)) {
            double before = row.number("entries_start");
            double behind = row.number("entries_end");
            table.row(
                    row.text("operation"),
                    row.text("threads"),
                    row.text("subject"),
                    count(before),
                    count(behind),
                    count(behind - before));
        }
        return table;
    }

    /** What a map takes that has grown. */
    private TextTable grown(String shape) {
        TextTable table = new TextTable()
                .row("subject", "entries loaded", "memory", "overhead", "in the end", "memory then", "overhead then");
        for (Figures row : of(loads, shape)) {
            table.row(
                    row.text("subject"),
                    count(row.number("entries")),
                    bytes(row, "memory_bytes"),
                    overhead(row, "overhead_bytes_per_entry"),
                    count(row.number("entries_end")),
                    bytes(row, "memory_end_bytes"),
                    overhead(row, "overhead_end_bytes_per_entry"));
        }
        return table;
    }

    private static String count(double number) {
        return Double.isFinite(number) ? String.format(Locale.ROOT, "%,.0f", number) : NONE;
    }

    private static String overhead(Figures row, String name) {
        return String.format(Locale.ROOT, "%.0f B/entry", row.number(name));
    }

    /** From there on puts of new keys were replacements, which the row does not show. */
    private List<String> roomReached() {
        return result.rows("runs").stream()
                .filter(row -> row.has("room_reached") && row.flag("room_reached"))
                .map(row -> row.text("subject") + ", " + operation(row)
                        + ": all the room for new keys was taken, from there on values were replaced")
                .distinct()
                .toList();
    }

    /** Operation by operation, in the order in which they came first. */
    private List<Figures> byOperation(String shape) {
        List<Figures> own = of(rows, shape);
        List<Figures> sorted = new ArrayList<>();
        own.stream()
                .map(MapReport::operation)
                .distinct()
                .forEach(operation -> own.stream()
                        .filter(row -> operation(row).equals(operation))
                        .forEach(sorted::add));
        return sorted;
    }

    private static String operation(Figures row) {
        return row.text("operation") + ", " + row.text("threads")
                + (row.whole("threads") == 1 ? " thread" : " threads");
    }

    private static String ratio(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : NONE;
    }

    private List<String> notMeasured() {
        return result.rows("not_measured").stream()
                .map(row -> "not measured: " + row.text("subject")
                        + (row.get("shape") == null ? "" : ", " + row.text("shape")) + ": "
                        + row.get(row.has("failed_reason") ? "failed_reason" : "skipped_reason"))
                .toList();
    }

    private List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        List<String> shapes = shapes();
        for (int number = 0; number < shapes.size(); number++) {
            if (has("time_over_plain")) {
                charts.add(ratios(shapes.get(number), number));
            }
            charts.add(memory(shapes.get(number), number));
        }
        return charts;
    }

    private Chart ratios(String shape, int number) {
        List<String> subjects =
                of(loads, shape).stream().map(row -> row.text("subject")).toList();
        List<BarChart.Group> groups = new ArrayList<>();
        for (String operation :
                byOperation(shape).stream().map(MapReport::operation).distinct().toList()) {
            groups.add(new BarChart.Group(
                    operation,
                    subjects.stream()
                            .map(subject -> bar(shape, operation, subject))
                            .toList()));
        }
        return new BarChart(
                "map-times-" + number,
                "Time of an operation over plain memory's, " + shape + ofNewKeys(),
                Axis.plain("times as long").logarithmic(),
                subjects,
                groups);
    }

    private String ofNewKeys() {
        return grows() ? ", " + newKeysPercent() + " % of the puts of new keys" : "";
    }

    private BarChart.Bar bar(String shape, String operation, String subject) {
        Figures row = of(rows, shape).stream()
                .filter(each -> operation(each).equals(operation)
                        && each.text("subject").equals(subject))
                .findFirst()
                .orElse(null);
        return row == null ? BarChart.Bar.none() : bar(row);
    }

    private static BarChart.Bar bar(Figures row) {
        return new BarChart.Bar(
                row.number("time_over_plain"), row.number("time_over_plain_min"), row.number("time_over_plain_max"));
    }

    private Chart memory(String shape, int number) {
        List<Figures> own = of(loads, shape);
        return new BarChart(
                        "map-memory-" + number,
                        "Memory" + (grows() ? " when it was loaded, " : ", ") + shape,
                        Axis.of("memory", Unit.BYTES),
                        own.stream().map(row -> row.text("subject")).toList(),
                        List.of(
                                group("heap", own, "heap_bytes"),
                                group("outside", own, "outside_bytes"),
                                group("pages of its files", own, "cached_file_bytes")))
                .asStacked();
    }

    private static BarChart.Group group(String name, List<Figures> rows, String figure) {
        return BarChart.Group.of(
                name, rows.stream().map(row -> Math.max(0, row.number(figure))).toList());
    }

    private String page(List<Chart> charts) {
        ReportPage page = new ReportPage(
                "Maps: one access at random", "Sizes: " + String.join("; ", shapes()) + ofNewKeys() + ".");
        page.badge(result.flag("valid"), result.flag("valid") ? "valid" : "void: " + reason());
        page.badge(!result.flag("disturbed"), result.flag("disturbed") ? "disturbed by the machine" : "not disturbed");
        if (!result.flag("complete")) {
            page.badge(false, "not complete");
        }
        charts.forEach(page::chart);
        for (String shape : shapes()) {
            page.heading(shape).table(operations(shape)).table(loads(shape));
            if (has("written_for_one")) {
                page.table(cleaning(shape));
            }
            if (has("safepoints")) {
                page.table(safepoints(shape));
            }
            if (grows()) {
                page.table(growth(shape)).table(grown(shape));
            }
        }
        roomReached().forEach(page::paragraph);
        notMeasured().forEach(page::paragraph);
        page.heading("How it was measured").paragraph(HOW);
        if (has("time_over_plain")) {
            page.paragraph(PLAIN);
        }
        page.paragraph(MEMORY).paragraph(CLEANING).paragraph(ERRORS);
        if (grows()) {
            page.paragraph(GROWTH);
        }
        for (Figures settings : result.rows("settings")) {
            page.heading(settings.text("subject")).facts(settings);
        }
        page.heading("Options").facts(result.part("options"));
        page.heading("Machine").facts(result.part("machine"));
        page.heading("JVM of a child").facts(result.part("jvm"));
        return page.paragraph("Revision " + result.get("revision") + ", started " + result.get("started"))
                .html();
    }

    private @Nullable Object reason() {
        return result.get("invalid_reason");
    }
}
