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
    public String title() {
        return "Summaries side by side (times in ms per GiB)";
    }

    @Override
    public void lay(Overlay overlay) {
        List<ComparedResult> results = overlay.results();
        for (String append : appends(results)) {
            TIMES.forEach(time -> overlay.chart(chart(results, append, time)));
            results.stream()
                    .filter(result -> rows(result, append).isEmpty())
                    .forEach(result -> overlay.lacks(result.name() + " has no bursts of " + append + " appends"));
        }
        Set<String> summaries = new LinkedHashSet<>();
        results.forEach(result -> collect("", summaries(result), summaries));
        summaries.forEach(path -> {
            Unit unit = path.endsWith("_bytes") ? Unit.BYTES : Unit.PLAIN;
            overlay.figure(path.replace('.', ' ').replace("_ms", ""), unit, result -> value(summaries(result), path));
            results.stream()
                    .filter(result -> Double.isNaN(value(summaries(result), path)))
                    .forEach(result -> overlay.lacks(result.name() + " has no summary figure " + path));
        });
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

    private static double value(Figures figures, String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? figures.number(path) : value(figures.part(path.substring(0, dot)), path.substring(dot + 1));
    }
}
