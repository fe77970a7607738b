package dev.larder.lab.report;

import dev.larder.cli.Figures;
import dev.larder.lab.report.BarChart.Bar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Charts of every kind, common ones and difficult ones. */
final class ChartExamples {

    private static final String LONG_NAME = "a subject whose <name> & settings (pinned, page-locked, sync after each"
            + " message, prepared segments, 16 KiB messages) are written out in full";

    private ChartExamples() {}

    static List<Chart> common() {
        return List.of(
                lines(),
                percentiles(),
                responseByLoad(),
                answeredByLoad(),
                timeline(),
                buffers(),
                bursts(),
                databases());
    }

    static List<Chart> hard() {
        return List.of(
                twentyCurves(),
                gapsAndZeros(),
                onePoint(),
                longNames(),
                manyPauses(),
                manyBars(),
                twentyGroups(),
                barsWithHoles());
    }

    /** Returns charts that have nothing to draw. */
    static List<Chart> empty() {
        return List.of(
                new Plot("empty-lines", "No lines", Axis.plain("x"), Axis.plain("y"), List.of()),
                new Plot(
                        "gap-lines",
                        "Only gaps",
                        Axis.plain("x"),
                        Axis.plain("y"),
                        List.of(new Plot.Curve("gap", List.of(1.0), List.of(Double.NaN)))),
                Plot.byPercentile("empty-percentiles", "No requests", List.of(curve("none", 0, 1))),
                Plot.byLoad("empty-load", "No loads", Axis.responseTime(), List.of()),
                Plot.overTime("empty-timeline", "No intervals", List.of(), List.of()),
                new BarChart("empty-bars", "No categories", Axis.plain("ms"), List.of(), List.of()),
                new BarChart(
                        "absent-bars",
                        "Only absent bars",
                        Axis.responseTime(),
                        List.of("one"),
                        List.of(BarChart.Group.of("a", List.of(Double.NaN)))));
    }

    private static Plot.Curve line(String name, List<Double> x, double... values) {
        return new Plot.Curve(name, x, DoubleStream.of(values).boxed().toList());
    }

    private static Plot.Curve line(String name, List<Double> x, DoubleUnaryOperator value) {
        return line(
                name,
                x,
                x.stream().mapToDouble(each -> value.applyAsDouble(each)).toArray());
    }

    static Plot lines() {
        List<Double> x =
                IntStream.rangeClosed(1, 32).mapToObj(index -> index / 2.0).toList();
        return new Plot(
                        "lines",
                        "Time for each burst",
                        Axis.plain("GiB written so far"),
                        Axis.plain("ms per GiB"),
                        List.of(
                                line("write", x, each -> 210 + 15 * Math.sin(each)),
                                line("copy into present pages", x, each -> 160 + 3 * Math.cos(3 * each))
                                        .asBaseline()))
                .with(List.of(new Plot.Mark(8, "memory limit")));
    }

    static Plot percentiles() {
        return Plot.byPercentile(
                "percentiles",
                "Response time by percentile, 20 k/s offered",
                List.of(
                        curve("Larder, ZGC", 2_000_000, 18),
                        curve("ConcurrentHashMap, G1", 200_000, 35),
                        curve("Caffeine, Parallel", 900, 60)));
    }

    /** Returns a curve with a tail, as a recorder would list it. */
    static Plot.Curve curve(String name, long count, double median) {
        List<List<Double>> points = new ArrayList<>();
        double value = median;
        for (double nines = 0; count > 0 && nines <= Math.log10((double) count); nines += 0.125) {
            value = median * (0.7 + 0.4 * nines) + (nines > 2.5 ? Math.pow(6, nines - 1) : 0);
            points.add(List.of(Scale.NINES.value(nines), value));
        }
        if (count > 0) {
            points.add(List.of(100.0, value * 1.4));
        }
        return Plot.Curve.ofPercentiles(
                name, new Figures().put("requests", count).put("percentiles", points));
    }

    static Plot responseByLoad() {
        return Plot.byLoad(
                "load-p99",
                "Response time at 99 % by load",
                Axis.responseTime(),
                List.of(
                        loaded("MMapDirectory, G1", 9_000),
                        loaded("ByteBuffersDirectory, G1", 4_500),
                        loaded("LarderDirectory, ZGC", 12_500)));
    }

    private static Plot.Curve loaded(String name, double capacity) {
        List<Double> loads = DoubleStream.iterate(
                        capacity / 10, load -> load <= capacity * 1.05, load -> load + capacity / 9.7)
                .boxed()
                .toList();
        return line(name, loads, load -> 90 / Math.max(0.0004, 1 - load / capacity))
                .saturatedAt(capacity);
    }

    static Plot answeredByLoad() {
        List<Double> loads = DoubleStream.iterate(1_000, load -> load <= 14_000, load -> load + 1_000)
                .boxed()
                .toList();
        return Plot.byLoad(
                "load-answered",
                "Answered by load",
                Axis.of("answered", Unit.PER_SECOND),
                List.of(
                        line("one process", loads, load -> Math.min(load, 6_000)),
                        line("two processes", loads, load -> Math.min(load, 11_000))));
    }

    static Plot timeline() {
        return timeline("timeline", "Response time over time", 60, 9);
    }

    static Plot manyPauses() {
        return timeline("many-pauses", "Response time over time, hundreds of pauses", 600, 700);
    }

    private static Plot timeline(String name, String title, int intervals, int pauses) {
        Random random = new Random(7);
        List<Double> seconds =
                IntStream.range(0, intervals).mapToObj(index -> index + 0.5).toList();
        Map<String, List<Plot.Span>> spans = new TreeMap<>();
        for (int pause = 0; pause < pauses; pause++) {
            String kind = pause % 5 == 4 ? "machine hiccup" : pause % 5 == 3 ? "safepoint" : "garbage collection";
            double length = pause % 10 == 0 ? 0.3 + random.nextDouble() : 0.004 + random.nextDouble() / 50;
            double start = random.nextDouble() * (intervals - 1);
            spans.computeIfAbsent(kind, each -> new ArrayList<>()).add(new Plot.Span(start, start + length));
        }
        List<Plot.Span> all = spans.values().stream().flatMap(List::stream).toList();
        return Plot.overTime(
                name,
                title,
                List.of(
                        line("p50", seconds, second -> 40 + random.nextDouble() * 8),
                        line("p99", seconds, second -> 200 + random.nextDouble() * 90),
                        line("max", seconds, second -> 900 + random.nextInt(300) + 1e6 * longest(all, second))),
                spans.entrySet().stream()
                        .map(kind -> Plot.Lane.ofSeconds(kind.getKey(), kind.getValue()))
                        .toList());
    }

    private static double longest(List<Plot.Span> pauses, double second) {
        return pauses.stream()
                .filter(pause -> Math.abs(pause.from() - second) <= 0.5)
                .mapToDouble(Plot.Span::length)
                .max()
                .orElse(0);
    }

    static BarChart buffers() {
        List<String> kinds = List.of(
                "heap",
                "direct",
                "mapped file (rw)",
                "mapped file (rwd)",
                "mapped /dev/shm",
                "POSIX shared memory",
                "System V shared memory",
                "anonymous huge pages");
        Random random = new Random(3);
        return new BarChart(
                "buffers",
                "Create and write 96 MiB, 95th percentile",
                Axis.of("time", Unit.MILLISECONDS).logarithmic(),
                kinds,
                List.of(
                        bars("blocks of 4 KiB", kinds.size(), random, 40),
                        bars("blocks of 4 MiB", kinds.size(), random, 25)));
    }

    private static BarChart.Group bars(String name, int count, Random random, double base) {
        return new BarChart.Group(
                name,
                IntStream.range(0, count)
                        .mapToObj(index -> base * Math.pow(1.5, index) * (0.8 + random.nextDouble() / 2))
                        .map(value -> new Bar(value, value * 0.8, value * 1.35))
                        .toList());
    }

    static BarChart bursts() {
        List<String> ends = IntStream.rangeClosed(1, 32)
                .mapToObj(index -> Unit.BYTES.text(index * 128.0 * (1 << 20)))
                .toList();
        Random random = new Random(5);
        return new BarChart(
                        "bursts",
                        "Each burst by its parts",
                        Axis.plain("ms per GiB"),
                        ends,
                        List.of(
                                random("write", ends.size(), random, 210),
                                random("sync", ends.size(), random, 480),
                                random("read", ends.size(), random, 150)))
                .asStacked();
    }

    private static BarChart.Group random(String name, int count, Random random, double base) {
        return BarChart.Group.of(
                name,
                IntStream.range(0, count)
                        .mapToObj(index -> base * (0.9 + random.nextDouble() / 5))
                        .toList());
    }

    static BarChart databases() {
        return new BarChart(
                        "databases",
                        "One million records of 1 KiB, synced at each 1000",
                        Axis.of("time", Unit.SECONDS),
                        List.of("Larder queue", "SQLite (WAL, NORMAL)", "H2 (MVStore)", "PostgreSQL"),
                        List.of(
                                BarChart.Group.of("insert and sync", List.of(2.1, 22.0, 31.5, 48.2)),
                                BarChart.Group.of("scan", List.of(0.3, 4.1, 6.6, 9.3))))
                .asStacked();
    }

    static Plot twentyCurves() {
        return Plot.byPercentile(
                "twenty-curves",
                "Twenty configurations",
                IntStream.range(0, 20)
                        .mapToObj(index -> curve("configuration " + index, 100_000, 20 * Math.pow(1.2, index)))
                        .toList());
    }

    static Plot gapsAndZeros() {
        List<Double> sizes = List.of(1024.0, 4096.0, 16384.0, 65536.0, 262144.0, 1048576.0);
        return new Plot(
                "gaps",
                "Gaps, zeros and what has no logarithm",
                Axis.of("size", Unit.BYTES).logarithmic(),
                Axis.responseTime(),
                List.of(
                        line("gap in the middle", sizes, 20, 30, Double.NaN, 60, 80, 100),
                        line("zero at both ends", sizes, 0, 200, 400, 800, 1600, 0),
                        line("alone", sizes, Double.NaN, Double.NaN, 100, Double.NaN, Double.NaN, Double.NaN)));
    }

    static Plot onePoint() {
        return Plot.byLoad(
                "one-point",
                "One point",
                Axis.responseTime(),
                List.of(new Plot.Curve("the only one", List.of(1000.0), List.of(250.0))));
    }

    static BarChart longNames() {
        return new BarChart(
                "long-names",
                "Bars of " + LONG_NAME,
                Axis.of("append to tailer", Unit.MICROSECONDS),
                List.of(LONG_NAME, "short", "withoutAnySpaceAtAll".repeat(5)),
                List.of(
                        BarChart.Group.of(LONG_NAME, List.of(3.0, 4.0, 5.0)),
                        BarChart.Group.of("another " + LONG_NAME, List.of(6.0, 7.0, 8.0))));
    }

    static BarChart manyBars() {
        List<String> names = IntStream.range(0, 60)
                .mapToObj(index -> "a kind of buffer, number " + index)
                .toList();
        return new BarChart(
                "many-bars",
                "Sixty kinds, three groups",
                Axis.of("time", Unit.MILLISECONDS).logarithmic(),
                names,
                IntStream.range(0, 3)
                        .mapToObj(group -> bars("group " + group, 60, new Random(group), 0.001))
                        .toList());
    }

    static BarChart twentyGroups() {
        return new BarChart(
                "twenty-groups",
                "Twenty groups",
                Axis.of("memory", Unit.BYTES),
                List.of("before", "after"),
                IntStream.range(0, 20)
                        .mapToObj(group -> BarChart.Group.of("group " + group, List.of((group + 1) * 1e8, group * 2e8)))
                        .toList());
    }

    static BarChart barsWithHoles() {
        return new BarChart(
                "holes",
                "Bars that are not there, and zeros",
                Axis.of("time", Unit.MICROSECONDS).logarithmic(),
                List.of("both", "the second alone", "zero", "none"),
                List.of(
                        new BarChart.Group("first", List.of(new Bar(120, 80, 300), Bar.none(), new Bar(0), Bar.none())),
                        new BarChart.Group(
                                "second", List.of(new Bar(15), new Bar(2000, 0, 5000), new Bar(1), Bar.none()))));
    }
}
