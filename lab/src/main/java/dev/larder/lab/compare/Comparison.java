package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Column;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.ResultFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of the results in several folders: the conditions that differed, then every part that all results have.
 * If a result lacks something, it is compared without it, and the gap is stated.
 */
public final class Comparison {

    /** A part of several experiments, by its name in {@code result.json}. */
    private enum Part {
        RUNS,
        BURSTS,
        ROWS;

        Overlay overlay(List<ComparedResult> results) {
            return switch (this) {
                case RUNS -> ComparedRuns.of(results);
                case BURSTS -> ComparedRows.ofBursts(results);
                case ROWS -> ComparedRows.of(results);
            };
        }

        /** Rounds of an experiment without load are not runs. */
        boolean isIn(ComparedResult result) {
            return result.result().rows(toString()).stream()
                    .anyMatch(row -> this != RUNS || Double.isFinite(row.number("offered_per_s")));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final List<ComparedResult> results;
    private final List<Overlay> overlays;

    private Comparison(List<ComparedResult> results) {
        this.results = results;
        overlays = Stream.of(Part.values())
                .filter(part -> results.stream().allMatch(part::isIn))
                .map(part -> part.overlay(results))
                .toList();
        if (overlays.isEmpty()) {
            throw new LabException("nothing to compare: "
                    + results.stream().map(Comparison::contents).collect(Collectors.joining("; ")));
        }
    }

    /**
     * Compares the results in folders.
     *
     * @throws LabException if there are fewer than two, if one has no result, or if they share no part
     */
    public static Comparison of(List<Path> folders) {
        if (folders.size() < 2) {
            throw new LabException("a comparison needs two result folders or more, not " + folders.size());
        }
        return new Comparison(ComparedResult.read(folders));
    }

    private static String contents(ComparedResult result) {
        String parts = Stream.of(Part.values())
                .filter(part -> part.isIn(result))
                .map(Part::toString)
                .collect(Collectors.joining(", "));
        return result.name() + " is of the experiment '" + result.experiment() + "' and has "
                + (parts.isEmpty() ? "no runs, bursts or rows" : parts);
    }

    /** Returns the conditions that differed between the results: a {@code name}, and the {@code values} as texts. */
    private List<Figures> differences() {
        List<Figures> facts = results.stream().map(ComparedResult::facts).toList();
        return facts.stream()
                .flatMap(each -> each.names().stream())
                .distinct()
                .map(name -> new Figures()
                        .put("name", name)
                        .put(
                                "values",
                                facts.stream().map(each -> text(each.get(name))).toList()))
                .filter(difference -> new HashSet<>(values(difference)).size() > 1)
                .toList();
    }

    private static String text(@Nullable Object value) {
        return value == null ? Column.NONE : value.toString();
    }

    private static List<?> values(Figures difference) {
        return difference.get("values") instanceof List<?> values ? values : List.of();
    }

    /** Returns the comparison as figures. */
    public Figures figures() {
        return new Figures()
                .put("results", results.stream().map(ComparedResult::head).toList())
                .put("differences", differences())
                .put("missing", ofAll(overlay -> overlay.missing))
                .put("figures", ofAll(overlay -> overlay.figures));
    }

    /** Writes {@code report.html}, {@code comparison.json} and the charts. */
    public void write(ResultFolder folder) {
        ofAll(overlay -> overlay.charts).forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("comparison.json", figures().toPrettyJson());
        folder.write("report.html", page());
    }

    private <T> List<T> ofAll(Function<Overlay, List<T>> part) {
        return overlays.stream()
                .flatMap(overlay -> part.apply(overlay).stream())
                .toList();
    }

    /** Returns the comparison as text. */
    public String text() {
        StringBuilder text = new StringBuilder().append(states());
        TextTable differences = differenceTable();
        text.append(differences.isEmpty() ? "" : "\nwhat differs\n" + differences);
        overlays.forEach(overlay -> text.append('\n').append(overlay.table));
        List<String> missing = ofAll(overlay -> overlay.missing);
        missing.forEach(line -> text.append("\nnot compared: ").append(line));
        return text.append(missing.isEmpty() ? "" : "\n").toString();
    }

    private TextTable states() {
        TextTable table = new TextTable().row("result", "experiment", "revision", "state");
        results.forEach(result -> table.row(
                result.name(),
                result.experiment(),
                String.valueOf(result.result().get("revision")),
                result.state()));
        return table;
    }

    private TextTable differenceTable() {
        List<Column> columns = new ArrayList<>(List.of(Column.of("", "name")));
        for (int index = 0; index < results.size(); index++) {
            int place = index;
            columns.add(new Column(
                    results.get(index).name(),
                    difference -> text(values(difference).get(place))));
        }
        return TextTable.of(differences(), columns);
    }

    private String page() {
        String names = results.stream().map(ComparedResult::name).collect(Collectors.joining(", "));
        ReportPage page = new ReportPage("Results compared", names);
        results.forEach(result -> page.badge(result.isGood(), result.name() + ": " + result.state()));
        page.heading("What differs");
        TextTable differences = differenceTable();
        if (differences.isEmpty()) {
            page.paragraph("Options, machine, JVM, seed and revision are the same.");
        } else {
            page.table(differences);
        }
        ofAll(overlay -> overlay.missing).forEach(line -> page.paragraph("Not compared: " + line + "."));
        overlays.forEach(overlay -> {
            overlay.charts.forEach(page::chart);
            page.heading(overlay.title).table(overlay.table);
        });
        return page.html();
    }
}
