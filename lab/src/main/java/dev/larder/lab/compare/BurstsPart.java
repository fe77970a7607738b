package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Axis;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.Plot;
import dev.larder.lab.report.Unit;
import dev.larder.lab.result.Rows;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The bursts of a queue: what each took, by what was written before it, and the summaries. */
final class BurstsPart implements ResultPart {

    private static final double GIB = 1L << 30;
    private static final List<String> TIMES = List.of("write_ms", "sync_ms", "read_ms");

    @Override
    public String name() {
        return "bursts";
    }

    @Override
    public Overlay overlay(List<ComparedResult> results) {
        List<Chart> charts = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String append : appends(results)) {
            TIMES.forEach(time -> charts.add(chart(results, append, time)));
            results.stream()
                    .filter(result -> rows(result, append).isEmpty())
                    .forEach(result -> missing.add(result.name() + " has no bursts of " + append + " appends"));
        }
        RatioTable table = new RatioTable("", results);
        summaryNames(results).forEach(path -> add(table, path, results, missing));
        return new Overlay(
                charts, "Summaries side by side (times in ms per GiB)", table.table(), table.rows(), missing);
    }

    private static Set<String> appends(List<ComparedResult> results) {
        Set<String> appends = new LinkedHashSet<>();
        results.forEach(result -> appends.addAll(Rows.distinct(result.result().rows("bursts"), "append")));
        return appends;
    }

    private static List<Figures> rows(ComparedResult result, String append) {
        return Rows.where(result.result().rows("bursts"), "append", append);
    }

    private static Chart chart(List<ComparedResult> results, String append, String time) {
        String word = time.replace("_ms", "");
        return new Plot(
                "report-" + word + "-" + append,
                "Time to " + word + " each burst, " + append + " appends",
                Axis.plain("GiB written so far"),
                Axis.plain("ms per GiB"),
                results.stream()
                        .map(result -> curve(result.markedName(), rows(result, append), time))
                        .toList());
    }

    private static Plot.Curve curve(String name, List<Figures> bursts, String time) {
        List<Double> written = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        for (Figures burst : bursts) {
            double gibibytes = burst.number("bytes") / GIB;
            written.add(gibibytes + (written.isEmpty() ? 0 : written.getLast()));
            times.add(burst.number(time) / gibibytes);
        }
        return new Plot.Curve(name, written, times);
    }

    private static Set<String> summaryNames(List<ComparedResult> results) {
        Set<String> names = new LinkedHashSet<>();
        results.forEach(result -> collect("", summaries(result), names));
        return names;
    }

    private static Figures summaries(ComparedResult result) {
        return result.result().part("summaries");
    }

    private static void collect(String path, Figures figures, Set<String> names) {
        for (String name : figures.names()) {
            String at = path.isEmpty() ? name : path + "." + name;
            if (figures.get(name) instanceof Number) {
                names.add(at);
            }
            collect(at, figures.part(name), names);
        }
    }

    private static void add(RatioTable table, String path, List<ComparedResult> results, List<String> missing) {
        List<Double> values =
                results.stream().map(result -> value(summaries(result), path)).toList();
        table.add(path.replace('.', ' ').replace("_ms", ""), path.endsWith("_bytes") ? Unit.BYTES : Unit.PLAIN, values);
        for (int index = 0; index < values.size(); index++) {
            if (values.get(index).isNaN()) {
                missing.add(results.get(index).name() + " has no summary figure " + path);
            }
        }
    }

    private static double value(Figures figures, String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? figures.number(path) : value(figures.part(path.substring(0, dot)), path.substring(dot + 1));
    }
}
