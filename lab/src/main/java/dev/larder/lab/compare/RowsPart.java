package dev.larder.lab.compare;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows that are named by their texts and block sizes (kinds of buffers, databases), each with its figures. */
final class RowsPart implements ResultPart {

    private static final String REASON = "_reason";

    @Override
    public String name() {
        return "rows";
    }

    @Override
    public Overlay overlay(List<ComparedResult> results) {
        List<Map<String, Figures>> rows = results.stream().map(RowsPart::byName).toList();
        Set<String> names = union(rows);
        List<Chart> charts = new ArrayList<>();
        RatioTable table = new RatioTable("", results);
        for (String figure : figures(rows)) {
            if (isDrawn(figure)) {
                charts.add(chart(figure, results, rows, names));
            }
        }
        names.forEach(name -> figures(rows)
                .forEach(figure -> table.add(
                        name + ": " + FigureName.words(figure), Unit.of(figure), values(rows, name, figure))));
        return new Overlay(charts, "Figures side by side", table.table(), table.rows(), missing(results, rows, names));
    }

    private static Map<String, Figures> byName(ComparedResult result) {
        Map<String, Figures> rows = new LinkedHashMap<>();
        result.result().rows("rows").forEach(row -> rows.putIfAbsent(name(row), row));
        return rows;
    }

    private static String name(Figures row) {
        List<String> words = new ArrayList<>();
        for (String column : row.names()) {
            if (column.equals("block_bytes") && row.wholeOrNull(column) != null) {
                words.add("blocks of " + ByteSize.format(row.whole(column)));
            } else if (row.get(column) instanceof String text && !column.endsWith(REASON)) {
                words.add(text);
            }
        }
        return String.join(", ", words);
    }

    private static Set<String> union(List<Map<String, Figures>> rows) {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(each -> names.addAll(each.keySet()));
        return names;
    }

    private static Set<String> figures(List<Map<String, Figures>> rows) {
        Set<String> figures = new LinkedHashSet<>();
        rows.forEach(each -> each.values()
                .forEach(row -> row.names().stream()
                        .filter(column -> row.get(column) instanceof Number && !column.equals("block_bytes"))
                        .filter(column -> !column.equals("rounds"))
                        .forEach(figures::add)));
        return figures;
    }

    /** Times; the least and the greatest of rounds are whiskers. */
    private static boolean isDrawn(String figure) {
        return figure.endsWith("_ms") && !figure.endsWith("_cpu_ms");
    }

    private static Chart chart(
            String figure, List<ComparedResult> results, List<Map<String, Figures>> rows, Set<String> names) {
        List<Figures> bars = new ArrayList<>();
        for (String name : names) {
            for (int index = 0; index < results.size(); index++) {
                Figures row = rows.get(index).get(name);
                if (row != null && Double.isFinite(row.number(figure))) {
                    bars.add(new Figures()
                            .putAll(row)
                            .put("name", name)
                            .put("result", results.get(index).markedName()));
                }
            }
        }
        return BarChart.of(
                        "report-" + figure.replace('_', '-'),
                        FigureName.words(figure),
                        Axis.of(FigureName.words(figure), Unit.MILLISECONDS),
                        bars,
                        row -> row.text("name"),
                        row -> row.text("result"),
                        figure)
                .asPointsWhereWide();
    }

    private static List<Double> values(List<Map<String, Figures>> rows, String name, String figure) {
        return rows.stream().map(each -> number(each.get(name), figure)).toList();
    }

    private static double number(@Nullable Figures row, String figure) {
        return row == null ? Double.NaN : row.number(figure);
    }

    private static List<String> missing(
            List<ComparedResult> results, List<Map<String, Figures>> rows, Set<String> names) {
        List<String> missing = new ArrayList<>();
        for (int index = 0; index < results.size(); index++) {
            for (String name : names) {
                String reason = missing(rows.get(index).get(name));
                if (!reason.isEmpty()) {
                    missing.add(results.get(index).name() + ": " + name + " " + reason);
                }
            }
        }
        return missing;
    }

    private static String missing(@Nullable Figures row) {
        if (row == null) {
            return "is missing";
        }
        return row.get("skipped_reason") instanceof String reason && !reason.isEmpty() ? "was skipped: " + reason : "";
    }
}
