package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import dev.larder.lab.result.Sample;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * An overlay of rows of several results: charts, and a table of figures with each result's ratio to the first.
 *
 * <p>Each row has a {@code result}, and a {@code name} that rows of other results may share.
 */
final class Overlay {

    final String title;
    final List<ComparedResult> results;
    final List<Chart> charts = new ArrayList<>();
    final List<Figures> figures = new ArrayList<>();

    /** The parts that cannot be compared, and why. */
    final List<String> missing = new ArrayList<>();

    final TextTable table = new TextTable();

    /** An empty overlay of results, with the title of its table. */
    Overlay(String title, List<ComparedResult> results) {
        this.title = title;
        this.results = results;
        String first = results.getFirst().name();
        row("", ComparedResult::markedName, result -> result.name() + " / " + first);
    }

    private interface Cell {
        String of(ComparedResult result);
    }

    private void row(String name, Cell value, Cell ratio) {
        table.row(Stream.of(
                        Stream.of(name),
                        results.stream().map(value::of),
                        results.stream().skip(1).map(ratio::of))
                .flatMap(each -> each)
                .toArray(String[]::new));
    }

    /** Returns the name of a figure for people, without the unit: {@code p99} for {@code p99_us}. */
    static String words(String figure) {
        return figure.replaceFirst("_(us|ms|per_s)(?=_|$)", "").replace('_', ' ');
    }

    /** Adds figures of rows: the median for each name and result. Skips a figure that no result has. */
    void add(List<Figures> rows, Collection<String> names) {
        Rows.by(rows, row -> row.text("name")).forEach((name, own) -> names.forEach(figure -> add(name, figure, own)));
    }

    private void add(String name, String figure, List<Figures> rows) {
        List<Double> values = results.stream()
                .map(result -> new Sample(Rows.numbers(of(result, rows), figure)).median())
                .toList();
        if (values.stream().noneMatch(Double::isFinite)) {
            return;
        }
        List<Double> ratios =
                values.stream().map(value -> value / values.getFirst()).toList();
        row(
                name + ": " + words(figure),
                result -> Unit.of(figure).text(values.get(results.indexOf(result))),
                result -> ratio(ratios.get(results.indexOf(result))));
        figures.add(new Figures()
                .put("figure", name + ": " + words(figure))
                .put("unit", Unit.of(figure))
                .put("values", values)
                .put("ratios", ratios.subList(1, ratios.size())));
    }

    private static String ratio(double ratio) {
        return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.3f", ratio) : Column.NONE;
    }

    /** Returns the rows of a result. */
    static List<Figures> of(ComparedResult result, List<Figures> rows) {
        return Rows.where(rows, "result", result.name());
    }
}
