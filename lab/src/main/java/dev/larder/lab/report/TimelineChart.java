package dev.larder.lab.report;

import java.util.List;
import java.util.Locale;

/**
 * Response time over the time of a run, with what held the process up.
 *
 * <p>Pauses of each kind have a lane below the lines, legible even if there are hundreds; the longest ones are shaded
 * over the whole height as well.
 *
 * @param name of the file, without its ending
 * @param title above the chart
 * @param time the vertical axis
 * @param seconds the middle of each interval, in seconds from the start, ascending
 * @param lines such as the median and the maximum, one value for each interval; NaN leaves a gap
 * @param pauses of any kind
 */
public record TimelineChart(
        String name, String title, Axis time, List<Double> seconds, List<LineChart.Line> lines, List<Pause> pauses)
        implements Chart {

    private static final double MILLIS_PER_SECOND = 1e3;

    /**
     * A time during which something stood still.
     *
     * @param kind such as "garbage collection"
     * @param start in seconds from the start of the run
     * @param seconds how long
     */
    public record Pause(String kind, double start, double seconds) {}

    public TimelineChart {
        pauses = List.copyOf(pauses);
        int intervals = seconds.size();
        if (lines.stream().anyMatch(line -> line.values().size() != intervals)) {
            throw new IllegalArgumentException("a line of '" + title + "' has not one value for each of " + intervals
                    + " intervals: " + lines.stream().map(LineChart.Line::name).toList());
        }
        lines = List.copyOf(lines);
    }

    /** Response times in microseconds on a logarithmic axis. */
    public TimelineChart(
            String name, String title, List<Double> seconds, List<LineChart.Line> lines, List<Pause> pauses) {
        this(name, title, Axis.responseTime(), seconds, lines, pauses);
    }

    Plot plot() {
        Axis clock = Axis.of("time since the start of the run", Unit.SECONDS);
        return new LineChart(name, title, clock, time, seconds, lines)
                .plot()
                .withLanes(pauses.stream()
                        .map(Pause::kind)
                        .distinct()
                        .map(this::lane)
                        .toList());
    }

    private Plot.Lane lane(String kind) {
        List<Plot.Span> spans = pauses.stream()
                .filter(pause -> pause.kind().equals(kind))
                .map(pause -> new Plot.Span(pause.start(), pause.start() + pause.seconds()))
                .toList();
        double longest = spans.stream().mapToDouble(Plot.Span::length).max().orElse(0);
        return new Plot.Lane(
                String.format(
                        Locale.ROOT,
                        "%s: %d, longest %s",
                        kind,
                        spans.size(),
                        Unit.MILLISECONDS.text(longest * MILLIS_PER_SECOND)),
                spans);
    }
}
