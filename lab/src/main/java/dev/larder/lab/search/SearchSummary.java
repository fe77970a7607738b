package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Collector;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The figures of the loads, by load and by configuration; void rows are not compared. */
final class SearchSummary {

    private static final double HIGH = 0.7;
    private static final List<String> COMPARED = List.of(
            "p50_us", "p99_us", "p999_us", "max_us", "served_mean_us", "longest_pause_ms", "cpu_cores", "memory_bytes");

    private final List<Figures> rows;
    private final Figures saturations;

    /** A summary of a result. */
    SearchSummary(Figures result) {
        rows = result.rows("runs");
        saturations = result.part("saturation_per_s");
    }

    /** Returns the configuration of a row, for people. */
    static String title(Figures row) {
        return SearchDirectory.named(row.text("subject")).title() + ", "
                + Collector.named(row.text("collector")).title();
    }

    private static String name(Figures row) {
        return row.text("subject") + "-" + row.text("collector");
    }

    /** Returns the rows of all measured searches, by ascending load. */
    List<Figures> searches() {
        return rows.stream()
                .filter(row -> "search".equals(row.get("operation")))
                .sorted(Comparator.comparingDouble(row -> row.number("rate_per_s")))
                .toList();
    }

    /** Returns the rows of one kind of request under a load, one for each configuration, in their order. */
    List<Figures> at(double rate, String operation) {
        return rows.stream()
                .filter(row -> operation.equals(row.get("operation")) && row.number("rate_per_s") == rate)
                .filter(row -> row.flag("common"))
                .toList();
    }

    /** Returns all kinds of request, in order. */
    Set<String> operations() {
        Set<String> operations = new LinkedHashSet<>();
        rows.stream().filter(row -> row.has("requests")).forEach(row -> operations.add(row.text("operation")));
        return operations;
    }

    /** Returns the loads that every configuration has, ascending. */
    List<Double> commonRates() {
        return searches().stream()
                .filter(row -> row.flag("common"))
                .map(row -> row.number("rate_per_s"))
                .distinct()
                .toList();
    }

    /** Returns the loads for comparing the configurations: the lowest one, and a high one. */
    List<Double> comparedRates() {
        List<Double> rates = commonRates();
        return rates.isEmpty() ? List.of() : List.copyOf(new LinkedHashSet<>(List.of(rates.getFirst(), high(rates))));
    }

    /** Returns a sweep's load nearest to 70 % of the first configuration's saturation; else the highest. */
    private double high(List<Double> rates) {
        if (saturations.names().isEmpty()) {
            return rates.getLast();
        }
        double wanted = HIGH * saturations.number(saturations.names().iterator().next());
        return rates.stream()
                .min(Comparator.comparingDouble(rate -> Math.abs(rate - wanted)))
                .orElse(wanted);
    }

    /** Returns the loads of each configuration, ascending. */
    Map<String, List<Figures>> byConfiguration() {
        Map<String, List<Figures>> configurations = new LinkedHashMap<>();
        rows.stream()
                .filter(row -> "search".equals(row.get("operation")))
                .forEach(row -> configurations.put(title(row), List.of()));
        configurations.replaceAll((title, none) -> searches().stream()
                .filter(row -> title(row).equals(title) && row.flag("valid"))
                .toList());
        return configurations;
    }

    /** Returns the saturation of a row's configuration; NaN if there was no search for it. */
    double saturation(Figures row) {
        return saturations.number(name(row));
    }

    /**
     * Returns the figures of searches by load and configuration ({@code at.120.larder-g1.p99_us}); compared ones also as
     * multiples of MMapDirectory's under the same collector ({@code p99_us_over_mmap}).
     */
    Figures figures() {
        Figures byRate = new Figures();
        for (double rate : commonRates()) {
            Figures byName = new Figures();
            at(rate, "search").stream()
                    .filter(row -> row.flag("valid"))
                    .forEach(row -> byName.put(name(row), figures(row, rate)));
            byRate.put(String.valueOf(Math.round(rate)), byName);
        }
        return new Figures().put("at", byRate);
    }

    private Figures figures(Figures row, double rate) {
        Figures figures = new Figures();
        COMPARED.forEach(name -> figures.put(name, row.get(name)));
        at(rate, "search").stream()
                .filter(other -> other.flag("valid") && isReference(other, row))
                .forEach(reference -> COMPARED.forEach(
                        name -> figures.put(name + "_over_mmap", row.number(name) / reference.number(name))));
        return figures;
    }

    private static boolean isReference(Figures other, Figures row) {
        return SearchDirectory.MMAP.toString().equals(other.get("subject"))
                && other.text("collector").equals(row.get("collector"))
                && !other.text("subject").equals(row.get("subject"));
    }
}
