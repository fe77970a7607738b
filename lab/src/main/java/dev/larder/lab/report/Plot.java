package dev.larder.lab.report;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Curves between two axes.
 *
 * @param name of the file, without its ending
 * @param title above the chart
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param curves those without a finite value are left out
 * @param marks vertical lines at places of the horizontal axis
 * @param lanes below the curves, legible even with hundreds of spans
 */
public record Plot(String name, String title, Axis x, Axis y, List<Curve> curves, List<Mark> marks, List<Lane> lanes)
        implements Chart {

    private static final double HUNDRED = 100;

    /**
     * A line through points.
     *
     * @param x of each point, ascending
     * @param y of each point; a value that is not finite breaks the line
     * @param isBaseline drawn thin and dashed: the machine's own limit, not the subject
     * @param limit where on the x axis it ends, such as a saturation; NaN for nowhere
     */
    public record Curve(String name, List<Double> x, List<Double> y, boolean isBaseline, double limit) {

        /** Checks that each point has both. */
        public Curve {
            if (x.size() != y.size()) {
                throw new IllegalArgumentException(
                        "'" + name + "' has not one value for each of " + x.size() + " places, but " + y.size());
            }
        }

        /** A subject's curve. */
        public Curve(String name, List<Double> x, List<Double> y) {
            this(name, x, y, false, Double.NaN);
        }

        /** Returns the curve of figure y over figure x, with rows in the order of x. */
        public static Curve of(String name, List<Figures> rows, ToDoubleFunction<Figures> x, String y) {
            List<Figures> sorted = rows.stream()
                    .sorted((one, other) -> Double.compare(x.applyAsDouble(one), x.applyAsDouble(other)))
                    .toList();
            return new Curve(
                    name,
                    sorted.stream().map(x::applyAsDouble).toList(),
                    sorted.stream().map(row -> row.number(y)).toList());
        }

        /**
         * Returns the percentiles of a row, {@code [percentile, value]} each, as far as its {@code requests} suffice: 99.9 needs
         * a thousand. The last point is the maximum, drawn at the slowest request.
         */
        public static Curve ofPercentiles(String name, Figures row) {
            List<Double> percentiles = new ArrayList<>();
            List<Double> values = new ArrayList<>();
            double count = row.has("requests") ? row.number("requests") : 0;
            double max = Double.NaN;
            for (Object pair : row.get("percentiles") instanceof List<?> pairs ? pairs : List.of()) {
                if (pair instanceof List<?> two
                        && two.get(0) instanceof Number percentile
                        && two.get(1) instanceof Number value) {
                    double above = HUNDRED - percentile.doubleValue();
                    if (above <= 0) {
                        max = value.doubleValue();
                    } else if (count == 0 || HUNDRED / above <= count) {
                        percentiles.add(percentile.doubleValue());
                        values.add(value.doubleValue());
                    }
                }
            }
            if (!Double.isNaN(max)) {
                double last = percentiles.isEmpty() ? 0 : percentiles.getLast();
                percentiles.add(count > 1 ? Math.max(last, HUNDRED - HUNDRED / count) : HUNDRED - (HUNDRED - last) / 2);
                values.add(max);
            }
            return new Curve(name, percentiles, values);
        }

        /** Returns the curve as a baseline. */
        public Curve asBaseline() {
            return new Curve(name, x, y, true, limit);
        }

        /** Returns the curve with the load at which it saturates, if known. */
        public Curve saturatedAt(double perSecond) {
            return Double.isFinite(perSecond)
                    ? new Curve(
                            name + " (saturated at " + Unit.PER_SECOND.text(perSecond) + ")",
                            x,
                            y,
                            isBaseline,
                            perSecond)
                    : this;
        }

        boolean isEmpty() {
            return y.stream().noneMatch(Double::isFinite);
        }
    }

    /** A vertical line with a text. */
    public record Mark(double x, String text) {}

    /** Spans of one kind, such as pauses. */
    public record Lane(String name, List<Span> spans) {
        private static final int MOST_SHADED = 20;
        private static final double MILLIS_PER_SECOND = 1e3;

        /** Returns the lane of pauses along an axis of seconds; its name has their number and the longest. */
        public static Lane ofSeconds(String kind, List<Span> spans) {
            double longest = spans.stream().mapToDouble(Span::length).max().orElse(0);
            String most = Unit.MILLISECONDS.text(longest * MILLIS_PER_SECOND);
            return new Lane(String.format(Locale.ROOT, "%s: %d, longest %s", kind, spans.size(), most), spans);
        }

        /** Returns those worth shading over the whole height. */
        List<Span> longest() {
            return spans.stream()
                    .sorted((one, other) -> Double.compare(other.length(), one.length()))
                    .limit(MOST_SHADED)
                    .toList();
        }
    }

    /** A range of the horizontal axis. */
    public record Span(double from, double to) {
        double length() {
            return to - from;
        }
    }

    /** Leaves out empty curves. */
    public Plot {
        curves = curves.stream().filter(curve -> !curve.isEmpty()).toList();
    }

    /** Curves only. */
    public Plot(String name, String title, Axis x, Axis y, List<Curve> curves) {
        this(name, title, x, y, curves, List.of(), List.of());
    }

    /** Returns response times by the offered load. */
    public static Plot byLoad(String name, String title, Axis y, List<Curve> curves) {
        return new Plot(name, title, Axis.of("offered load", Unit.PER_SECOND), y, curves);
    }

    /** Returns response times by percentile, on an axis where each further nine takes equal room. */
    public static Plot byPercentile(String name, String title, List<Curve> curves) {
        return new Plot(name, title, Axis.nines(), Axis.responseTime(), curves);
    }

    /** Returns response times over the time of a run, with its stalls. */
    public static Plot overTime(String name, String title, List<Curve> curves, List<Lane> lanes) {
        Axis clock = Axis.of("time since the start of the run", Unit.SECONDS);
        return new Plot(name, title, clock, Axis.responseTime(), curves, List.of(), lanes);
    }

    /** Returns the plot with marks. */
    public Plot with(List<Mark> more) {
        return new Plot(name, title, x, y, curves, more, lanes);
    }

    boolean isEmpty() {
        return curves.isEmpty();
    }

    Range xRange() {
        return x.range(DoubleStream.concat(
                curves.stream()
                        .flatMap(curve -> Stream.concat(curve.x().stream(), Stream.of(curve.limit())))
                        .mapToDouble(Double::doubleValue),
                DoubleStream.concat(
                        marks.stream().mapToDouble(Mark::x),
                        lanes.stream().flatMap(lane -> lane.spans().stream()).mapToDouble(Span::to))));
    }

    Range yRange() {
        return y.range(curves.stream().flatMap(curve -> curve.y().stream()).mapToDouble(Double::doubleValue));
    }
}
