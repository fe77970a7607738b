package dev.larder.lab.report;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;

/**
 * Response time by percentile, on an axis where each further nine takes equal room.
 *
 * <p>A curve ends where its requests end: the percentile 99.9 needs a thousand of them. Its last point is the maximum,
 * drawn where the slowest of {@code count} requests stands.
 *
 * @param name of the file, without its ending
 * @param title above the chart
 * @param time the vertical axis
 * @param curves one for each run
 */
public record PercentileChart(String name, String title, Axis time, List<Curve> curves) implements Chart {

    private static final double HUNDRED = 100;

    /**
     * The value below which a part of all requests stayed.
     *
     * @param percentile from 0 to 100; 100 is the maximum
     * @param value in the unit of the axis
     */
    public record Point(double percentile, double value) {}

    /**
     * The percentiles of one run, ascending.
     *
     * @param count how many requests there were; 0 if that is not known
     */
    public record Curve(String name, List<Point> points, long count) {

        /** Returns the points that so many requests can bear, the maximum at its own place. */
        List<Point> borne() {
            List<Point> borne = new ArrayList<>();
            for (Point point : points) {
                if (point.percentile() < HUNDRED && (count == 0 || HUNDRED / (HUNDRED - point.percentile()) <= count)) {
                    borne.add(point);
                }
            }
            maximum(borne);
            return borne;
        }

        private void maximum(List<Point> borne) {
            points.stream()
                    .filter(point -> point.percentile() >= HUNDRED)
                    .mapToDouble(Point::value)
                    .max()
                    .ifPresent(value -> borne.add(new Point(lastPercentile(borne), value)));
        }

        /** The slowest of 1000 stands at 99.9 %; without a count, a little behind the last point. */
        private double lastPercentile(List<Point> borne) {
            double last = borne.isEmpty() ? 0 : borne.getLast().percentile();
            return count > 1 ? Math.max(last, HUNDRED - HUNDRED / count) : HUNDRED - (HUNDRED - last) / 2;
        }
    }

    /** Returns the points of a row: its pairs {@code [percentile, value]}; none where it has none. */
    public static List<Point> points(Figures row) {
        List<Point> points = new ArrayList<>();
        if (row.get("percentiles") instanceof List<?> pairs) {
            for (Object pair : pairs) {
                if (pair instanceof List<?> two
                        && two.size() == 2
                        && two.get(0) instanceof Number percentile
                        && two.get(1) instanceof Number value) {
                    points.add(new Point(percentile.doubleValue(), value.doubleValue()));
                }
            }
        }
        return points;
    }

    public PercentileChart {
        curves = List.copyOf(curves);
    }

    /** Response times in microseconds on a logarithmic axis. */
    public PercentileChart(String name, String title, List<Curve> curves) {
        this(name, title, Axis.responseTime(), curves);
    }

    Plot plot() {
        return Plot.of(
                name,
                title,
                Axis.nines(),
                time,
                curves.stream().map(PercentileChart::drawn).toList());
    }

    private static Plot.Curve drawn(Curve curve) {
        List<Point> points = curve.borne();
        return new Plot.Curve(
                curve.name(),
                points.stream().map(Point::percentile).toList(),
                points.stream().map(Point::value).toList(),
                Plot.Style.CURVE);
    }
}
