package dev.larder.lab.report;

import dev.larder.lab.report.BarChart.Bar;
import dev.larder.lab.report.LineChart.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Charts of every kind, the common ones and the hard ones. */
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

    /** Charts that have nothing to draw. */
    static List<Chart> empty() {
        return List.of(
                new LineChart("empty-lines", "No lines", "x", "y", List.of(), List.of()),
                new LineChart("gap-lines", "Only gaps", "x", "y", List.of(1.0), List.of(line("gap", Double.NaN))),
                new PercentileChart("empty-percentiles", "No requests", List.of(curve("none", 0, 1))),
                new LoadChart("empty-load", "No loads", Axis.responseTime(), List.of()),
                new TimelineChart("empty-timeline", "No intervals", List.of(), List.of(), List.of()),
                new BarChart("empty-bars", "No categories", Axis.plain("ms"), List.of(), List.of()),
                new BarChart(
                        "absent-bars",
                        "Only absent bars",
                        Axis.responseTime(),
                        List.of("one"),
                        List.of(BarChart.Group.of("a", List.of(Double.NaN)))));
    }

    private static Line line(String name, double... values) {
        return new Line(name, DoubleStream.of(values).boxed().toList());
    }

    static LineChart lines() {
        List<Double> x =
                IntStream.rangeClosed(1, 32).mapToObj(index -> index / 2.0).toList();
        List<Double> write = x.stream().map(each -> 210 + 15 * Math.sin(each)).toList();
        List<Double> low = write.stream().map(each -> each - 22).toList();
        List<Double> high = write.stream().map(each -> each + 35).toList();
        List<Double> copy = x.stream().map(each -> 160 + 3 * Math.cos(3 * each)).toList();
        return new LineChart(
                "lines",
                "Time for each burst",
                Axis.plain("GiB written so far"),
                Axis.plain("ms per GiB"),
                x,
                List.of(new Line("write", write), new Line("copy into present pages", copy, true)),
                List.of(new LineChart.Band("write, least to greatest of 5 rounds", low, high)),
                List.of(new LineChart.Mark(8, "memory limit")));
    }

    static PercentileChart percentiles() {
        return new PercentileChart(
                "percentiles",
                "Response time by percentile, 20 k/s offered",
                List.of(
                        curve("Larder, ZGC", 2_000_000, 18),
                        curve("ConcurrentHashMap, G1", 200_000, 35),
                        curve("Caffeine, Parallel", 900, 60)));
    }

    /** A curve with a tail, as a recorder would list it. */
    static PercentileChart.Curve curve(String name, long count, double median) {
        List<PercentileChart.Point> points = new ArrayList<>();
        for (double nines = 0; nines <= Math.log10(Math.max(1, (double) count)); nines += 0.125) {
            double value = median * (0.7 + 0.4 * nines) + (nines > 2.5 ? Math.pow(6, nines - 1) : 0);
            points.add(new PercentileChart.Point(Scale.NINES.value(nines), value));
        }
        if (count == 0) {
            return new PercentileChart.Curve(name, List.of(), 0);
        }
        points.add(new PercentileChart.Point(100, points.getLast().value() * 1.4));
        return new PercentileChart.Curve(name, points, count);
    }

    static LoadChart responseByLoad() {
        return new LoadChart(
                "load-p99",
                "Response time at 99 % by load",
                Axis.responseTime(),
                List.of(
                        loaded("MMapDirectory, G1", 9_000),
                        loaded("ByteBuffersDirectory, G1", 4_500),
                        loaded("LarderDirectory, ZGC", 12_500)));
    }

    private static LoadChart.Curve loaded(String name, double capacity) {
        List<LoadChart.Point> points = new ArrayList<>();
        for (double load = capacity / 10; load <= capacity * 1.05; load += capacity / 9.7) {
            points.add(new LoadChart.Point(load, 90 / Math.max(0.0004, 1 - load / capacity)));
        }
        return new LoadChart.Curve(name, points, capacity);
    }

    static LoadChart answeredByLoad() {
        return new LoadChart(
                "load-answered",
                "Answered by load",
                Axis.of("answered", Unit.PER_SECOND),
                List.of(answered("one process", 6_000), answered("two processes", 11_000)));
    }

    private static LoadChart.Curve answered(String name, double capacity) {
        return new LoadChart.Curve(
                name,
                DoubleStream.iterate(1_000, load -> load <= 14_000, load -> load + 1_000)
                        .mapToObj(load -> new LoadChart.Point(load, Math.min(load, capacity)))
                        .toList());
    }

    static TimelineChart timeline() {
        return timeline("timeline", "Response time over time", 60, 9);
    }

    static TimelineChart manyPauses() {
        return timeline("many-pauses", "Response time over time, hundreds of pauses", 600, 700);
    }

    private static TimelineChart timeline(String name, String title, int intervals, int pauses) {
        Random random = new Random(7);
        List<Double> seconds =
                IntStream.range(0, intervals).mapToObj(index -> index + 0.5).toList();
        List<TimelineChart.Pause> list = new ArrayList<>();
        for (int pause = 0; pause < pauses; pause++) {
            String kind = pause % 5 == 4 ? "machine hiccup" : pause % 5 == 3 ? "safepoint" : "garbage collection";
            double length = pause % 10 == 0 ? 0.3 + random.nextDouble() : 0.004 + random.nextDouble() / 50;
            list.add(new TimelineChart.Pause(kind, random.nextDouble() * (intervals - 1), length));
        }
        double[] worst = seconds.stream()
                .mapToDouble(second -> 900 + random.nextInt(300) + 1e6 * longest(list, second))
                .toArray();
        List<Line> lines = List.of(
                new Line(
                        "p50",
                        seconds.stream()
                                .map(each -> 40 + random.nextDouble() * 8)
                                .toList()),
                new Line(
                        "p99",
                        seconds.stream()
                                .map(each -> 200 + random.nextDouble() * 90)
                                .toList()),
                line("max", worst));
        return new TimelineChart(name, title, seconds, lines, list);
    }

    private static double longest(List<TimelineChart.Pause> pauses, double second) {
        return pauses.stream()
                .filter(pause -> Math.abs(pause.start() - second) <= 0.5)
                .mapToDouble(TimelineChart.Pause::seconds)
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
        List<String> ends = IntStream.rangeClosed(1, 128)
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
                .asStacked()
                .asStanding();
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

    static PercentileChart twentyCurves() {
        return new PercentileChart(
                "twenty-curves",
                "Twenty configurations",
                IntStream.range(0, 20)
                        .mapToObj(index -> curve("configuration " + index, 100_000, 20 * Math.pow(1.2, index)))
                        .toList());
    }

    static LineChart gapsAndZeros() {
        return new LineChart(
                "gaps",
                "Gaps, zeros and what has no logarithm",
                Axis.of("size", Unit.BYTES).logarithmic(),
                Axis.responseTime(),
                List.of(1024.0, 4096.0, 16384.0, 65536.0, 262144.0, 1048576.0),
                List.of(
                        line("gap in the middle", 20, 30, Double.NaN, 60, 80, 100),
                        line("zero at both ends", 0, 200, 400, 800, 1600, 0),
                        line("alone", Double.NaN, Double.NaN, 100, Double.NaN, Double.NaN, Double.NaN)));
    }

    static LoadChart onePoint() {
        return new LoadChart(
                "one-point",
                "One point",
                Axis.responseTime(),
                List.of(new LoadChart.Curve("the only one", List.of(new LoadChart.Point(1000, 250)))));
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
                                new BarChart.Group(
                                        "first", List.of(new Bar(120, 80, 300), Bar.none(), new Bar(0), Bar.none())),
                                new BarChart.Group(
                                        "second",
                                        List.of(new Bar(15), new Bar(2000, 0, 5000), new Bar(1), Bar.none()))))
                .asStanding();
    }
}
