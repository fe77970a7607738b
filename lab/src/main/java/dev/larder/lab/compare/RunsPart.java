package dev.larder.lab.compare;

import dev.larder.lab.report.Axis;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.LoadChart;
import dev.larder.lab.report.PercentileChart;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Runs under a load: response time by percentile at the loads that all results have, and by load. */
final class RunsPart implements ResultPart {

    private static final int MOST_LOADS = 3;
    private static final List<String> BY_LOAD = List.of("p50_us", "p99_us", "p999_us", "max_us", "answered_per_s");
    private static final List<String> FIGURES = List.of(
            "answered_per_s",
            "errors",
            "mean_us",
            "p50_us",
            "p90_us",
            "p99_us",
            "p999_us",
            "p9999_us",
            "max_us",
            "longest_pause_ms",
            "cpu_cores",
            "memory_bytes");

    /** One run of one result. */
    private record Run(ComparedResult from, Figures row) {

        String operation() {
            return row.get("operation") instanceof String text ? text : "all";
        }

        /** Returns what was configured: the subject, and the collector where there is one. */
        String configuration() {
            return List.of("subject", "collector").stream()
                    .map(row::get)
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .collect(Collectors.joining(", "));
        }

        String curve() {
            String configuration = configuration().isEmpty() ? "" : ": " + configuration();
            return from.name() + configuration + mark();
        }

        /** A run says of itself, or its result of all runs, that it proves nothing. */
        private String mark() {
            boolean isVoid =
                    row.has("valid") ? !row.flag("valid") : !from.result().flag("valid");
            boolean disturbed =
                    row.has("disturbed") ? row.flag("disturbed") : from.result().flag("disturbed");
            return isVoid ? " (void)" : disturbed ? " (disturbed)" : "";
        }

        boolean isOf(ComparedResult result) {
            return from.name().equals(result.name());
        }

        double load() {
            return row.number("offered_per_s");
        }
    }

    @Override
    public String name() {
        return "runs";
    }

    @Override
    public Overlay overlay(List<ComparedResult> results) {
        List<Run> runs =
                results.stream().flatMap(result -> runs(result).stream()).toList();
        List<String> missing = new ArrayList<>(missingPercentiles(results));
        List<Chart> charts = new ArrayList<>();
        RatioTable table = new RatioTable("", results);
        for (String operation : distinct(runs, Run::operation)) {
            List<Run> own = runs.stream()
                    .filter(run -> run.operation().equals(operation))
                    .toList();
            charts.addAll(percentileCharts(operation, own, results, missing));
            charts.addAll(loadCharts(operation, own));
            addRows(table, operation, own, results);
        }
        return new Overlay(charts, "Figures side by side", table.table(), table.rows(), missing);
    }

    private static List<Run> runs(ComparedResult result) {
        return result.result().rows("runs").stream()
                .map(row -> new Run(result, row))
                .sorted(Comparator.comparingDouble(Run::load))
                .toList();
    }

    private static Set<String> distinct(List<Run> runs, java.util.function.Function<Run, String> name) {
        return runs.stream().map(name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static List<String> missingPercentiles(List<ComparedResult> results) {
        List<String> missing = new ArrayList<>();
        for (ComparedResult result : results) {
            List<Figures> rows = result.result().rows("runs");
            long without = rows.stream().filter(row -> points(row).isEmpty()).count();
            if (without > 0) {
                missing.add(result.name() + " has no percentiles in " + without + " of " + rows.size() + " runs");
            }
        }
        return missing;
    }

    private static List<Chart> percentileCharts(
            String operation, List<Run> runs, List<ComparedResult> results, List<String> missing) {
        List<Run> drawn =
                runs.stream().filter(run -> !points(run.row()).isEmpty()).toList();
        if (drawn.isEmpty()) {
            return List.of();
        }
        List<Double> loads = commonLoads(drawn, results);
        if (loads.isEmpty()) {
            missing.add("no offered load is in all results (" + operation + "): each curve is of its highest load");
            return List.of(percentileChart(operation, "the highest load of each", "highest", highest(drawn)));
        }
        return loads.stream()
                .map(load -> percentileChart(
                        operation,
                        Unit.PER_SECOND.text(load) + " offered",
                        String.valueOf(Math.round(load)),
                        drawn.stream().filter(run -> run.load() == load).toList()))
                .toList();
    }

    /** Returns the least, a middle and the greatest load that every result has. */
    private static List<Double> commonLoads(List<Run> runs, List<ComparedResult> results) {
        TreeSet<Double> common = new TreeSet<>();
        runs.forEach(run -> common.add(run.load()));
        for (ComparedResult result : results) {
            common.retainAll(
                    runs.stream().filter(run -> run.isOf(result)).map(Run::load).collect(Collectors.toSet()));
        }
        common.remove(Double.NaN);
        List<Double> loads = List.copyOf(common);
        return loads.size() <= MOST_LOADS
                ? loads
                : List.of(loads.getFirst(), loads.get(loads.size() / 2), loads.getLast());
    }

    private static List<Run> highest(List<Run> runs) {
        return distinct(runs, Run::curve).stream()
                .map(curve ->
                        runs.stream().filter(run -> run.curve().equals(curve)).toList())
                .map(List::getLast)
                .toList();
    }

    private static Chart percentileChart(String operation, String load, String name, List<Run> runs) {
        return new PercentileChart(
                "report-percentiles-" + operation + "-" + name,
                "Response time by percentile: " + operation + ", " + load,
                runs.stream()
                        .map(run -> new PercentileChart.Curve(run.curve(), points(run.row()), count(run.row())))
                        .toList());
    }

    private static List<PercentileChart.Point> points(Figures run) {
        List<PercentileChart.Point> points = new ArrayList<>();
        if (run.get("percentiles") instanceof List<?> pairs) {
            for (Object pair : pairs) {
                if (pair instanceof List<?> two
                        && two.size() == 2
                        && two.get(0) instanceof Number percentile
                        && two.get(1) instanceof Number value) {
                    points.add(new PercentileChart.Point(percentile.doubleValue(), value.doubleValue()));
                }
            }
        }
        return points;
    }

    private static long count(Figures run) {
        return List.of("requests", "count").stream()
                .map(run::wholeOrNull)
                .filter(java.util.Objects::nonNull)
                .findFirst()
                .orElse(0L);
    }

    private static List<Chart> loadCharts(String operation, List<Run> runs) {
        List<Chart> charts = new ArrayList<>();
        for (String figure : BY_LOAD) {
            List<LoadChart.Curve> curves = distinct(runs, Run::curve).stream()
                    .map(name -> loadCurve(name, figure, runs))
                    .filter(curve -> curve.points().size() > 1)
                    .toList();
            if (!curves.isEmpty()) {
                charts.add(new LoadChart(
                        "report-load-" + operation + "-" + figure.replace('_', '-'),
                        words(figure) + " by load: " + operation,
                        axis(figure),
                        curves));
            }
        }
        return charts;
    }

    private static LoadChart.Curve loadCurve(String name, String figure, List<Run> runs) {
        List<Run> own = runs.stream().filter(run -> run.curve().equals(name)).toList();
        return new LoadChart.Curve(
                name,
                own.stream()
                        .filter(run -> Double.isFinite(run.load()))
                        .filter(run -> Double.isFinite(run.row().number(figure)))
                        .map(run -> new LoadChart.Point(run.load(), run.row().number(figure)))
                        .toList(),
                saturation(own.getFirst()));
    }

    /** The saturation is named by subject, or is one for all. */
    private static double saturation(Run run) {
        Figures result = run.from().result();
        Figures bySubject = result.part("saturation_per_s");
        return bySubject.names().isEmpty()
                ? result.number("saturation_per_s")
                : bySubject.number(String.valueOf(run.row().get("subject")));
    }

    private static Axis axis(String figure) {
        return figure.endsWith("_us") ? Axis.responseTime() : Axis.of("answered", Unit.PER_SECOND);
    }

    private static String words(String figure) {
        return switch (figure) {
            case "answered_per_s" -> "Answered rate";
            case "max_us" -> "Longest response time";
            case "mean_us" -> "Mean response time";
            default -> "Response time at " + percentile(figure);
        };
    }

    /** Returns {@code 99.9 %} for {@code p999_us}. */
    private static String percentile(String figure) {
        String digits = figure.replace("p", "").replace("_us", "");
        return (digits.length() > 2 ? digits.substring(0, 2) + "." + digits.substring(2) : digits) + " %";
    }

    private static void addRows(RatioTable table, String operation, List<Run> runs, List<ComparedResult> results) {
        for (String configuration : distinct(runs, Run::configuration)) {
            List<Run> own = runs.stream()
                    .filter(run -> run.configuration().equals(configuration))
                    .toList();
            for (double load : own.stream().map(Run::load).distinct().toList()) {
                String name = String.join(" ", configuration, operation, "at", Unit.PER_SECOND.text(load));
                FIGURES.forEach(figure -> table.add(
                        name + ": " + figure.replace('_', ' '),
                        Unit.PLAIN,
                        results.stream()
                                .map(result -> value(own, result, load, figure))
                                .toList()));
            }
        }
    }

    private static double value(List<Run> runs, ComparedResult result, double load, String figure) {
        return runs.stream()
                .filter(run -> run.isOf(result) && Double.compare(run.load(), load) == 0)
                .mapToDouble(run -> run.row().number(figure))
                .findFirst()
                .orElse(Double.NaN);
    }
}
