package dev.larder.lab.compare;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Plot;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import dev.larder.lab.result.Sample;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An overlay of runs under a load: response time by percentile at the loads that all results have, and by load.
 *
 * <p>Each run gets its {@code load}, its {@code configuration}, and the name of the {@code curve} that it belongs to.
 */
final class ComparedRuns {

    private static final int MOST_LOADS = 3;

    /** Loads that differ by at most this share are the same: random arrivals never match their rate exactly. */
    private static final double SAME_LOAD = 0.05;

    /** An experiment may have dozens of other kinds of request, which only the table shows. */
    private static final Set<String> DRAWN = Set.of("all", "get", "put", "search", "update");

    private static final List<String> BY_LOAD = List.of("p50_us", "p99_us", "p999_us", "max_us", "answered_per_s");
    private static final List<String> FIGURES =
            Rows.names("answered_per_s errors mean_us p50_us p90_us p99_us p999_us p9999_us max_us longest_pause_ms "
                    + "cpu_cores memory_bytes");

    private final Overlay overlay;

    private ComparedRuns(Overlay overlay) {
        this.overlay = overlay;
    }

    static Overlay of(List<ComparedResult> results) {
        Overlay overlay = new Overlay("Figures side by side", results);
        List<Figures> runs = new ArrayList<>();
        for (ComparedResult result : results) {
            List<Figures> own = runs(result);
            long without = own.stream().filter(run -> !hasPercentiles(run)).count();
            if (without > 0) {
                overlay.missing.add(
                        result.name() + " has no percentiles in " + without + " of " + own.size() + " runs");
            }
            runs.addAll(own);
        }
        Rows.by(runs, run -> run.text("operation"))
                .forEach((operation, own) -> new ComparedRuns(overlay).add(operation, own));
        return overlay;
    }

    private static List<Figures> runs(ComparedResult result) {
        return result.result().rows("runs").stream()
                .filter(row -> Double.isFinite(LoadCharts.rate(row)))
                .map(row -> new Figures()
                        .putAll(row)
                        .put("result", result.name())
                        .put("load", LoadCharts.rate(row))
                        .put("configuration", configuration(row))
                        .put("curve", result.name() + (configuration(row).isEmpty() ? "" : ": " + configuration(row)))
                        .put("saturation", saturation(result.result(), row)))
                .toList();
    }

    /**
     * Returns the subject and, where the row has them, collector, bytes of data, share of puts, phase, loop, and requests kept
     * in flight.
     */
    private static String configuration(Figures row) {
        Stream<String> names = Stream.of("subject", "collector")
                .map(row::get)
                .filter(String.class::isInstance)
                .map(String.class::cast);
        Stream<String> bytes = Stream.ofNullable(row.wholeOrNull("live_bytes")).map(ByteSize::format);
        Stream<String> phase =
                Stream.of("share", "phase").filter(key -> row.get(key) != null).map(row::text);
        Stream<String> loop = Stream.ofNullable(row.get("loop")).map(String::valueOf);
        Stream<String> out = Stream.ofNullable(row.wholeOrNull("outstanding")).map(count -> count + " out");
        return Stream.of(names, bytes, phase, loop, out).flatMap(each -> each).collect(Collectors.joining(", "));
    }

    /** Finds the saturation by subject and collector, by subject, or one for all. */
    private static double saturation(Figures result, Figures run) {
        Figures byName = result.part("saturation_per_s");
        String withCollector = run.get("subject") + "-" + run.get("collector");
        return byName.names().isEmpty()
                ? result.number("saturation_per_s")
                : byName.number(byName.has(withCollector) ? withCollector : String.valueOf(run.get("subject")));
    }

    private static boolean hasPercentiles(Figures run) {
        return run.get("percentiles") instanceof List<?> list && !list.isEmpty();
    }

    private void add(String operation, List<Figures> runs) {
        List<Double> loads = mergeLoads(runs);
        if (DRAWN.contains(operation)) {
            addPercentiles(
                    operation,
                    runs.stream().filter(ComparedRuns::hasPercentiles).toList(),
                    loads);
            overlay.charts.addAll(BY_LOAD.stream()
                    .flatMap(figure -> byLoad(operation, figure, runs, loads))
                    .toList());
        }
        overlay.add(runs, FIGURES);
    }

    /**
     * Sets loads that count as the same to the first result's, and names runs by them; returns them, ascending. The rate of
     * a closed loop is a measurement, so its runs are named by configuration.
     */
    private static List<Double> mergeLoads(List<Figures> runs) {
        List<Double> loads = new ArrayList<>();
        for (Figures run : runs) {
            double load = run.number("load");
            double known = loads.stream()
                    .filter(each -> Math.abs(each - load) <= SAME_LOAD * Math.max(each, load))
                    .findFirst()
                    .orElse(load);
            if (!loads.contains(known)) {
                loads.add(known);
            }
            String name = (run.text("configuration") + " " + run.text("operation")).strip();
            boolean isClosed = run.wholeOrNull("outstanding") != null;
            run.put("load", known).put("name", isClosed ? name : name + " at " + Unit.PER_SECOND.text(known));
        }
        return loads.stream().sorted().toList();
    }

    /** Draws the lowest, a middle and the highest load that all results have. */
    private void addPercentiles(String operation, List<Figures> runs, List<Double> loads) {
        List<Double> common = loads.stream()
                .filter(load -> overlay.results.stream()
                        .noneMatch(result -> Overlay.of(result, at(load, runs)).isEmpty()))
                .toList();
        if (common.isEmpty() && !runs.isEmpty()) {
            overlay.missing.add(
                    "the results share no offered load (" + operation + "): each curve shows its highest load");
            overlay.charts.addAll(
                    List.of(percentiles(operation, "the highest load of each", "highest", highest(runs))));
        }
        Stream<Double> drawn = common.size() <= MOST_LOADS
                ? common.stream()
                : Stream.of(common.getFirst(), common.get(common.size() / 2), common.getLast());
        overlay.charts.addAll(drawn.map(load -> percentiles(
                        operation,
                        Unit.PER_SECOND.text(load) + " offered",
                        String.valueOf(Math.round(load)),
                        at(load, runs)))
                .toList());
    }

    private static List<Figures> at(double load, List<Figures> runs) {
        return runs.stream().filter(run -> run.number("load") == load).toList();
    }

    private static Collection<List<Figures>> curves(List<Figures> runs) {
        return Rows.by(runs, run -> run.text("curve")).values();
    }

    private static List<Figures> highest(List<Figures> runs) {
        return curves(runs).stream()
                .flatMap(own -> at(
                        own.stream()
                                .mapToDouble(run -> run.number("load"))
                                .max()
                                .orElse(0),
                        own)
                        .stream())
                .toList();
    }

    /** Draws, of repeated runs, the one with the median p99. */
    private static Chart percentiles(String operation, String load, String name, List<Figures> runs) {
        return Plot.byPercentile(
                "report-percentiles-" + operation + "-" + name,
                "Response time by percentile: " + requests(operation) + ", " + load,
                curves(runs).stream().map(ComparedRuns::middle).toList());
    }

    private static Plot.Curve middle(List<Figures> runs) {
        List<Figures> sorted = runs.stream()
                .sorted(Comparator.comparingDouble(run -> run.number("p99_us")))
                .toList();
        Figures run = sorted.get((sorted.size() - 1) / 2);
        String mark = !run.flag("valid") ? " (void)" : run.flag("disturbed") ? " (disturbed)" : "";
        return Plot.Curve.ofPercentiles(run.text("curve") + mark, run);
    }

    private static Stream<Chart> byLoad(String operation, String figure, List<Figures> runs, List<Double> loads) {
        List<Plot.Curve> curves =
                curves(runs).stream().map(own -> curve(figure, own, loads)).toList();
        return curves.stream().noneMatch(curve -> curve.y().size() > 1)
                ? Stream.empty()
                : Stream.of(Plot.byLoad(
                        "report-load-" + operation + "-" + figure.replace('_', '-'),
                        words(figure) + " by load: " + requests(operation),
                        figure.endsWith("_us") ? Axis.responseTime() : Axis.of("answered", Unit.PER_SECOND),
                        curves));
    }

    private static Plot.Curve curve(String figure, List<Figures> runs, List<Double> loads) {
        List<Double> measured = loads.stream()
                .filter(load -> Double.isFinite(median(at(load, runs), figure)))
                .toList();
        return new Plot.Curve(
                        runs.getFirst().text("curve")
                                + mark("void", runs, runs.stream().filter(run -> run.flag("valid")))
                                + mark("disturbed", runs, runs.stream().filter(run -> !run.flag("disturbed"))),
                        measured,
                        measured.stream()
                                .map(load -> median(at(load, runs), figure))
                                .toList())
                .saturatedAt(runs.getFirst().number("saturation"));
    }

    private static double median(List<Figures> runs, String figure) {
        return new Sample(Rows.numbers(runs, figure)).median();
    }

    private static String mark(String word, List<Figures> runs, Stream<Figures> others) {
        long marked = runs.size() - others.count();
        return marked == 0 ? "" : " (" + marked + " of " + runs.size() + " " + word + ")";
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
}
