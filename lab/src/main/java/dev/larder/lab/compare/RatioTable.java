package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures of several results side by side, each with its ratio to the first. */
final class RatioTable {

    private final List<ComparedResult> results;
    private final TextTable table = new TextTable();
    private final List<Figures> rows = new ArrayList<>();

    RatioTable(String subject, List<ComparedResult> results) {
        this.results = results;
        List<String> head = new ArrayList<>(List.of(subject));
        results.forEach(result -> head.add(result.markedName()));
        results.stream().skip(1).forEach(result -> head.add(ratioName(result)));
        table.row(head.toArray(String[]::new));
    }

    private String ratioName(ComparedResult result) {
        return result.name() + " / " + results.getFirst().name();
    }

    /** Adds one figure: a value for each result, NaN for none. */
    void add(String figure, Unit unit, List<Double> values) {
        if (values.stream().noneMatch(Double::isFinite)) {
            return;
        }
        List<String> cells = new ArrayList<>(List.of(figure));
        values.forEach(value -> cells.add(unit.text(value)));
        ratios(values)
                .forEach(ratio -> cells.add(Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.3f", ratio) : "–"));
        table.row(cells.toArray(String[]::new));
        rows.add(new Figures()
                .put("figure", figure)
                .put("unit", unit)
                .put("values", values)
                .put("ratios", ratios(values)));
    }

    private static List<Double> ratios(List<Double> values) {
        return values.stream().skip(1).map(value -> value / values.getFirst()).toList();
    }

    TextTable table() {
        return table;
    }

    List<Figures> rows() {
        return rows;
    }
}
