package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Plot;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import dev.larder.lab.result.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Runs under a load: response time by percentile at the loads that all results have, and by load. */
final class RunsPart implements ResultPart {

    private static final int MOST_LOADS = 3;

    /** An experiment may tell dozens of kinds of request apart: those are in the table alone. */
    private static final Set<String> DRAWN = Set.of("all", "get", "put", "search", "update");

    private static final List<String> BY_LOAD = List.of("p50_us", "p99_us", "p999_us", "max_us", "answered_per_s");
    private static final List<String> FIGURES =
            Rows.names("answered_per_s errors mean_us p50_us p90_us p99_us p999_us p9999_us max_us longest_pause_ms "
                    + "cpu_cores memory_bytes");

    @Override
    public String name() {
        return "runs";
    }

    /** Rounds of an experiment without a load are no runs. */
    @Override
    public boolean isIn(Figures result) {
        return result.rows("runs").stream().anyMatch(row -> Double.isFinite(row.number("offered_per_s")));
    }

    @Override
    public void lay(Overlay overlay) {
        List<ComparedRun> runs = new ArrayList<>();
        for (ComparedResult result : overlay.results()) {
            List<ComparedRun> own = ComparedRun.of(result);
            long without = own.stream().filter(run -> !run.hasPercentiles()).count();
            if (without > 0) {
                overlay.lacks(result.name() + " has no percentiles in " + without + " of " + own.size() + " runs");
            }
            runs.addAll(own);
        }
        for (String operation : distinct(runs, ComparedRun::operation)) {
            List<ComparedRun> own = only(runs, ComparedRun::operation, operation);
            if (DRAWN.contains(operation)) {
                addPercentiles(operation, own, overlay);
                BY_LOAD.forEach(figure -> addByLoad(operation, figure, own, overlay));
            }
            addFigures(operation, own, overlay);
        }
    }

    private static Set<String> distinct(List<ComparedRun> runs, Function<ComparedRun, String> name) {
        return runs.stream().map(name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static List<ComparedRun> only(List<ComparedRun> runs, Function<ComparedRun, String> name, String wanted) {
        return runs.stream().filter(run -> name.apply(run).equals(wanted)).toList();
    }

    private static void addPercentiles(String operation, List<ComparedRun> runs, Overlay overlay) {
        List<ComparedRun> drawn =
                runs.stream().filter(ComparedRun::hasPercentiles).toList();
        List<Double> loads = commonLoads(drawn, overlay.results());
        if (loads.isEmpty() && !drawn.isEmpty()) {
            overlay.lacks("no offered load is in all results (" + operation + "): each curve is of its highest load");
            overlay.chart(percentileChart(operation, "the highest load of each", "highest", highest(drawn)));
        }
        loads.forEach(load -> overlay.chart(percentileChart(
                operation,
                Unit.PER_SECOND.text(load) + " offered",
                String.valueOf(Math.round(load)),
                drawn.stream().filter(run -> run.isAt(load)).toList())));
    }

    /** Returns the least, a middle and the greatest load that every result has. */
    private static List<Double> commonLoads(List<ComparedRun> runs, List<ComparedResult> results) {
        List<Double> loads = loads(runs).stream()
                .filter(load -> results.stream()
                        .allMatch(result -> runs.stream().anyMatch(run -> run.isOf(result) && run.isAt(load))))
                .toList();
        return loads.size() <= MOST_LOADS
                ? loads
                : List.of(loads.getFirst(), loads.get(loads.size() / 2), loads.getLast());
    }

    /** Returns the loads of runs, ascending; of loads that are the same, that of the first result. */
    private static List<Double> loads(List<ComparedRun> runs) {
        List<Double> loads = new ArrayList<>();
        for (ComparedRun run : runs) {
            if (loads.stream().noneMatch(run::isAt)) {
                loads.add(run.load());
            }
        }
        return loads.stream().sorted().toList();
    }

    private static List<ComparedRun> highest(List<ComparedRun> runs) {
        return distinct(runs, ComparedRun::curve).stream()
                .map(curve -> only(runs, ComparedRun::curve, curve))
                .flatMap(own -> own.stream().filter(run -> run.isAt(loads(own).getLast())))
                .toList();
    }

    /** Of runs that were repeated, the one with the middle p99 is drawn. */
    private static Chart percentileChart(String operation, String load, String name, List<ComparedRun> runs) {
        List<Plot.Curve> curves = distinct(runs, ComparedRun::curve).stream()
                .map(curve -> middle(only(runs, ComparedRun::curve, curve)))
                .map(run -> Plot.Curve.ofPercentiles(run.markedCurve(), run.row()))
                .toList();
        return Plot.byPercentile(
                "report-percentiles-" + operation + "-" + name,
                "Response time by percentile: " + requests(operation) + ", " + load,
                curves);
    }

    private static ComparedRun middle(List<ComparedRun> runs) {
        List<ComparedRun> sorted = runs.stream()
                .sorted(Comparator.comparingDouble(run -> run.row().number("p99_us")))
                .toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    private static void addByLoad(String operation, String figure, List<ComparedRun> runs, Overlay overlay) {
        List<Plot.Curve> curves = distinct(runs, ComparedRun::curve).stream()
                .map(curve -> loadCurve(figure, only(runs, ComparedRun::curve, curve)))
                .toList();
        if (curves.stream().anyMatch(curve -> curve.y().size() > 1)) {
            overlay.chart(Plot.byLoad(
                    "report-load-" + operation + "-" + figure.replace('_', '-'),
                    words(figure) + " by load: " + requests(operation),
                    figure.endsWith("_us") ? Axis.responseTime() : Axis.of("answered", Unit.PER_SECOND),
                    curves));
        }
    }

    private static Plot.Curve loadCurve(String figure, List<ComparedRun> runs) {
        List<Double> loads = loads(runs).stream()
                .filter(load -> Double.isFinite(median(runs, load, figure)))
                .toList();
        ComparedRun first = runs.getFirst();
        return new Plot.Curve(
                        first.curve() + marks(runs),
                        loads,
                        loads.stream().map(load -> median(runs, load, figure)).toList())
                .saturatedAt(saturation(first));
    }

    private static double median(List<ComparedRun> runs, double load, String figure) {
        return new Sample(runs.stream()
                        .filter(run -> run.isAt(load))
                        .map(run -> run.row().number(figure))
                        .toList())
                .median();
    }

    private static String marks(List<ComparedRun> runs) {
        long invalid = runs.stream().filter(ComparedRun::isVoid).count();
        long disturbed = runs.stream().filter(ComparedRun::isDisturbed).count();
        return (invalid == 0 ? "" : " (" + invalid + " of " + runs.size() + " void)")
                + (disturbed == 0 ? "" : " (" + disturbed + " of " + runs.size() + " disturbed)");
    }

    /** The saturation is named by subject, by subject and collector, or is one for all. */
    private static double saturation(ComparedRun run) {
        Figures result = run.from().result();
        Figures byName = result.part("saturation_per_s");
        if (byName.names().isEmpty()) {
            return result.number("saturation_per_s");
        }
        String subject = String.valueOf(run.row().get("subject"));
        String withCollector = subject + "-" + run.row().get("collector");
        return byName.number(byName.has(withCollector) ? withCollector : subject);
    }

    private static String requests(String operation) {
        return operation.equals("all") ? "all requests" : operation;
    }

    private static String words(String figure) {
        return switch (figure) {
            case "answered_per_s" -> "Answered rate";
            case "max_us" -> "Longest response time";
            default -> "Response time at " + LoadCharts.label(figure);
        };
    }

    private static void addFigures(String operation, List<ComparedRun> runs, Overlay overlay) {
        for (String configuration : distinct(runs, ComparedRun::configuration)) {
            List<ComparedRun> own = only(runs, ComparedRun::configuration, configuration);
            for (double load : loads(own)) {
                String name = (configuration + " " + operation).strip() + " at " + Unit.PER_SECOND.text(load) + ": ";
                FIGURES.forEach(figure -> overlay.figure(
                        name + Overlay.words(figure),
                        Unit.of(figure),
                        result -> median(
                                own.stream().filter(run -> run.isOf(result)).toList(), load, figure)));
            }
        }
    }
}
