package dev.larder.lab.compare;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.BarChart;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rows that are named by their texts and block sizes (kinds of buffers, databases), each with its figures. */
final class RowsPart implements ResultPart {

    private static final String REASON = "_reason";
    private static final Set<String> KEYS = Set.of("block_bytes", "rounds");

    @Override
    public String name() {
        return "rows";
    }

    @Override
    public void lay(Overlay overlay) {
        Map<String, Map<String, Figures>> byName = new LinkedHashMap<>(); // of each, the row of a result
        for (ComparedResult result : overlay.results()) {
            result.result()
                    .rows(name())
                    .forEach(row -> byName.computeIfAbsent(name(row), name -> new LinkedHashMap<>())
                            .putIfAbsent(result.name(), row));
        }
        List<String> figures = byName.values().stream()
                .flatMap(rows -> rows.values().stream())
                .flatMap(RowsPart::figures)
                .distinct()
                .toList();
        figures.stream().filter(RowsPart::isDrawn).forEach(figure -> overlay.chart(chart(figure, overlay, byName)));
        byName.forEach((name, rows) -> {
            figures.forEach(figure -> overlay.figure(
                    name + ": " + Overlay.words(figure),
                    Unit.of(figure),
                    result -> rows.getOrDefault(result.name(), new Figures()).number(figure)));
            overlay.results()
                    .forEach(result -> sayWhatLacks(overlay, result.name() + ": " + name, rows.get(result.name())));
        });
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

    private static Stream<String> figures(Figures row) {
        return row.names().stream().filter(column -> row.get(column) instanceof Number && !KEYS.contains(column));
    }

    /** Times; the least and the greatest of rounds are whiskers. */
    private static boolean isDrawn(String figure) {
        return figure.endsWith("_ms") && !figure.endsWith("_cpu_ms");
    }

    private static Chart chart(String figure, Overlay overlay, Map<String, Map<String, Figures>> byName) {
        List<Figures> bars = new ArrayList<>();
        byName.forEach((name, rows) -> overlay.results().forEach(result -> {
            Figures row = rows.get(result.name());
            if (row != null && Double.isFinite(row.number(figure))) {
                bars.add(new Figures().putAll(row).put("name", name).put("result", result.markedName()));
            }
        }));
        return BarChart.of(
                        "report-" + figure.replace('_', '-'),
                        Overlay.words(figure),
                        Axis.of(Overlay.words(figure), Unit.MILLISECONDS),
                        bars,
                        row -> row.text("name"),
                        row -> row.text("result"),
                        figure)
                .asPointsWhereWide();
    }

    private static void sayWhatLacks(Overlay overlay, String name, @Nullable Figures row) {
        if (row == null) {
            overlay.lacks(name + " is missing");
        } else if (row.get("skipped_reason") instanceof String reason && !reason.isEmpty()) {
            overlay.lacks(name + " was skipped: " + reason);
        }
    }
}
