package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** One part of several results, laid over one another: charts, and a table with the ratio of each result to the first. */
final class Overlay {

    private final List<ComparedResult> results;
    private final List<Chart> charts = new ArrayList<>();
    private final List<Figures> rows = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final TextTable table = new TextTable();

    Overlay(List<ComparedResult> results) {
        this.results = results;
        List<String> head = new ArrayList<>(List.of(""));
        results.forEach(result -> head.add(result.markedName()));
        results.stream()
                .skip(1)
                .forEach(result ->
                        head.add(result.name() + " / " + results.getFirst().name()));
        table.row(head.toArray(String[]::new));
    }

    /** Returns the name of a figure for people, without the unit: {@code p99} for {@code p99_us}. */
    static String words(String figure) {
        return figure.replaceFirst("_(us|ms|per_s)(?=_|$)", "").replace('_', ' ');
    }

    List<ComparedResult> results() {
        return results;
    }

    /** Adds a picture with a curve or a group of bars for each result. */
    void chart(Chart chart) {
        charts.add(chart);
    }

    /** Says what could not be compared, and why. */
    void lacks(String what) {
        missing.add(what);
    }

    /** Adds one figure: a value for each result, NaN for none; a figure that nobody has is left out. */
    void figure(String name, Unit unit, ToDoubleFunction<ComparedResult> value) {
        List<Double> values = results.stream().map(value::applyAsDouble).toList();
        if (values.stream().noneMatch(Double::isFinite)) {
            return;
        }
        List<Double> ratios =
                values.stream().skip(1).map(each -> each / values.getFirst()).toList();
        List<String> cells = new ArrayList<>(List.of(name));
        values.forEach(each -> cells.add(unit.text(each)));
        ratios.forEach(ratio -> cells.add(Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.3f", ratio) : "–"));
        table.row(cells.toArray(String[]::new));
        rows.add(new Figures()
                .put("figure", name)
                .put("unit", unit)
                .put("values", values)
                .put("ratios", ratios));
    }

    List<Chart> charts() {
        return charts;
    }

    TextTable table() {
        return table;
    }

    List<Figures> rows() {
        return rows;
    }

    List<String> missing() {
        return missing;
    }
}
