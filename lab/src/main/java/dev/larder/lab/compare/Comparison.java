package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Drawing;
import dev.larder.lab.report.ReportPage;
import dev.larder.lab.report.TextTable;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.ResultFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Results of several folders, laid over one another: what differed when they were made, then every part that all of them
 * have. A folder whose result lacks something is compared without it, and what lacks is said.
 */
public final class Comparison {

    private static final List<ResultPart> PARTS = List.of(new RunsPart(), new BurstsPart(), new RowsPart());

    private final List<ComparedResult> results;
    private final List<Difference> differences;
    private final Map<ResultPart, Overlay> overlays = new LinkedHashMap<>();

    private Comparison(List<ComparedResult> results) {
        this.results = results;
        differences = Difference.between(results);
        for (ResultPart part : sharedParts(results)) {
            Overlay overlay = new Overlay(results);
            part.lay(overlay);
            overlays.put(part, overlay);
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

    private static List<ResultPart> sharedParts(List<ComparedResult> results) {
        List<ResultPart> shared = PARTS.stream()
                .filter(part -> results.stream().allMatch(result -> part.isIn(result.result())))
                .toList();
        if (shared.isEmpty()) {
            throw new LabException("nothing to compare: "
                    + results.stream().map(Comparison::contents).collect(Collectors.joining("; ")));
        }
        return shared;
    }

    private static String contents(ComparedResult result) {
        String parts = PARTS.stream()
                .filter(part -> part.isIn(result.result()))
                .map(ResultPart::name)
                .collect(Collectors.joining(", "));
        return result.name() + " is of the experiment '" + result.experiment() + "' and has "
                + (parts.isEmpty() ? "no runs, bursts or rows" : parts);
    }

    /** Returns the comparison as figures. */
    public Figures figures() {
        Figures figures = new Figures()
                .put("results", results.stream().map(ComparedResult::head).toList())
                .put(
                        "differences",
                        differences.stream().map(Difference::figures).toList())
                .put("missing", missing());
        return figures.put("figures", ofAll(Overlay::rows));
    }

    /** Writes {@code report.html}, {@code comparison.json} and the charts. */
    public void write(ResultFolder folder) {
        ofAll(Overlay::charts).forEach(chart -> Drawing.write(chart, folder.directory()));
        folder.write("comparison.json", figures().toPrettyJson());
        folder.write("report.html", page());
    }

    private <T> List<T> ofAll(Function<Overlay, List<T>> part) {
        return overlays.values().stream()
                .flatMap(overlay -> part.apply(overlay).stream())
                .toList();
    }

    private List<String> missing() {
        return ofAll(Overlay::missing);
    }

    /** Returns the comparison as text. */
    public String text() {
        StringBuilder text = new StringBuilder().append(states());
        if (!differences.isEmpty()) {
            text.append("\nwhat differs\n").append(differenceTable());
        }
        overlays.values().forEach(overlay -> text.append('\n').append(overlay.table()));
        missing().forEach(line -> text.append("\nnot compared: ").append(line));
        return text.append(missing().isEmpty() ? "" : "\n").toString();
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
        TextTable table = new TextTable();
        List<String> head = new ArrayList<>(List.of(""));
        results.forEach(result -> head.add(result.name()));
        table.row(head.toArray(String[]::new));
        for (Difference difference : differences) {
            List<String> cells = new ArrayList<>(List.of(difference.name()));
            cells.addAll(difference.values());
            table.row(cells.toArray(String[]::new));
        }
        return table;
    }

    private String page() {
        String names = results.stream().map(ComparedResult::name).collect(Collectors.joining(", "));
        ReportPage page = new ReportPage("Results compared", names);
        results.forEach(result -> page.badge(result.isGood(), result.name() + ": " + result.state()));
        page.heading("What differs");
        if (differences.isEmpty()) {
            page.paragraph("Options, machine, JVM, seed and revision are the same.");
        } else {
            page.table(differenceTable());
        }
        missing().forEach(line -> page.paragraph("Not compared: " + line + "."));
        overlays.forEach((part, overlay) -> {
            overlay.charts().forEach(page::chart);
            page.heading(part.title()).table(overlay.table());
        });
        return page.html();
    }
}
