package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Plot;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares rows named by their texts (kinds of buffers, stores, maps), and summaries and bursts of a queue. */
final class ComparedRows {

    private static final double GIB = 1L << 30;
    private static final Set<String> NUMBERS_IN_NAMES = Set.of("block_bytes", "threads");
    private static final Set<String> NOT_COMPARED = Set.of("rounds", "entries", "value_bytes");

    private ComparedRows() {}

    /** Overlays rows: a chart of each time, with the minimum and maximum of the rounds as whiskers. */
    static Overlay of(List<ComparedResult> results) {
        Overlay overlay = new Overlay("Figures side by side", results);
        List<Figures> rows = named(results, ComparedRows::rows);
        List<String> figures = numbers(rows);
        overlay.charts.addAll(figures.stream()
                .filter(figure -> figure.endsWith("_ms") && !figure.endsWith("_cpu_ms"))
                .map(figure -> chart(figure, rows))
                .toList());
        overlay.add(rows, figures);
        tellMissing(overlay, rows);
        return overlay;
    }

    /** Overlays bursts (the time of each, by the bytes written before it) and the summaries. */
    static Overlay ofBursts(List<ComparedResult> results) {
        Overlay overlay = new Overlay("Summaries side by side (times for each GiB)", results);
        List<Figures> rows = named(results, ComparedRows::summaries);
        overlay.charts.addAll(Rows.distinct(rows, "name").stream()
                .flatMap(append -> Stream.of("write", "sync", "read").map(time -> chart(results, append, time)))
                .toList());
        overlay.add(rows, numbers(rows));
        tellMissing(overlay, rows);
        return overlay;
    }

    private interface Naming {
        List<Figures> rows(Figures result);
    }

    private static List<Figures> named(List<ComparedResult> results, Naming naming) {
        return results.stream()
                .flatMap(result -> naming.rows(result.result()).stream()
                        .map(row -> row.put("result", result.name()).put("marked", result.markedName())))
                .toList();
    }

    private static List<Figures> rows(Figures result) {
        return result.rows("rows").stream()
                .map(row -> new Figures().putAll(row).put("name", name(row)))
                .toList();
    }

    private static String name(Figures row) {
        return row.names().stream()
                .filter(column -> NUMBERS_IN_NAMES.contains(column)
                        || (row.get(column) instanceof String && !column.endsWith("_reason")))
                .map(column -> NUMBERS_IN_NAMES.contains(column)
                        ? column.replace("_bytes", "") + " " + Column.text(row, column)
                        : row.text(column))
                .collect(Collectors.joining(", "));
    }

    private static List<Figures> summaries(Figures result) {
        Figures summaries = result.part("summaries");
        return summaries.names().stream()
                .map(append -> ComparedResult.flat(summaries.part(append), "_").put("name", append))
                .toList();
    }

    private static List<String> numbers(List<Figures> rows) {
        return rows.stream()
                .flatMap(row -> row.names().stream().filter(column -> row.get(column) instanceof Number))
                .filter(column -> !NUMBERS_IN_NAMES.contains(column) && !NOT_COMPARED.contains(column))
                .distinct()
                .toList();
    }

    private static Chart chart(String figure, List<Figures> rows) {
        return BarChart.of(
                        "report-" + figure.replace('_', '-'),
                        Overlay.words(figure),
                        Axis.of(Overlay.words(figure), Unit.MILLISECONDS),
                        rows.stream()
                                .filter(row -> Double.isFinite(row.number(figure)))
                                .toList(),
                        row -> row.text("name"),
                        row -> row.text("marked"),
                        figure)
                .asPointsWhereWide();
    }

    private static Chart chart(List<ComparedResult> results, String append, String time) {
        return new Plot(
                "report-" + time + "-" + append,
                "Time to " + time + " each burst, " + append + " appends",
                Axis.plain("GiB written so far"),
                Axis.plain("ms per GiB"),
                results.stream()
                        .map(result -> curve(
                                result.markedName(),
                                Rows.where(result.result().rows("bursts"), "append", append),
                                time + "_ms"))
                        .toList());
    }

    private static Plot.Curve curve(String name, List<Figures> bursts, String time) {
        List<Double> written = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        for (Figures burst : bursts) {
            double gibibytes = burst.number("bytes") / GIB;
            written.add(gibibytes + (written.isEmpty() ? 0 : written.getLast()));
            times.add(burst.number(time) / gibibytes);
        }
        return new Plot.Curve(name, written, times);
    }

    private static void tellMissing(Overlay overlay, List<Figures> rows) {
        for (String name : Rows.distinct(rows, "name")) {
            for (ComparedResult result : overlay.results) {
                List<Figures> own = Overlay.of(result, Rows.where(rows, "name", name));
                if (own.isEmpty()) {
                    overlay.missing.add(result.name() + ": " + name + " is missing");
                } else if (own.getFirst().get("skipped_reason") instanceof String reason && !reason.isEmpty()) {
                    overlay.missing.add(result.name() + ": " + name + " was skipped: " + reason);
                }
            }
        }
    }
}
