package dev.larder.lab.report;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** What every chart of curves comes down to: two axes and what stands between them. */
record Plot(
        String name,
        String title,
        Axis x,
        Axis y,
        List<Curve> curves,
        List<Band> bands,
        List<Mark> marks,
        List<Lane> lanes) {

    /** How a curve is drawn. */
    enum Style {
        /** What is under test. */
        CURVE,

        /** What it is compared with: thin and dashed. */
        BASELINE
    }

    /** A line through points; a value that is not finite breaks it. */
    record Curve(String name, List<Double> x, List<Double> y, Style style) {}

    /** A shaded stretch between two lines. */
    record Band(String name, List<Double> x, List<Double> low, List<Double> high) {}

    /** An upright line; in the colour of a curve if it belongs to one. */
    record Mark(double x, String text, int curve) {
        static final int NO_CURVE = -1;
    }

    /** Spans of one kind, drawn below the curves. */
    record Lane(String name, List<Span> spans) {

        private static final int MOST_SHADED = 20;

        /** Returns those that are worth shading over the whole height. */
        List<Span> longest() {
            return spans.stream()
                    .sorted((one, other) -> Double.compare(other.length(), one.length()))
                    .limit(MOST_SHADED)
                    .toList();
        }
    }

    /** A stretch of the horizontal axis. */
    record Span(double from, double to) {
        double length() {
            return to - from;
        }
    }

    static Plot of(String name, String title, Axis x, Axis y, List<Curve> curves) {
        return new Plot(name, title, x, y, curves, List.of(), List.of(), List.of());
    }

    Plot withBands(List<Band> more) {
        return new Plot(name, title, x, y, curves, more, marks, lanes);
    }

    Plot withMarks(List<Mark> more) {
        return new Plot(name, title, x, y, curves, bands, more, lanes);
    }

    Plot withLanes(List<Lane> more) {
        return new Plot(name, title, x, y, curves, bands, marks, more);
    }

    boolean isEmpty() {
        return curves.stream().flatMap(curve -> curve.y().stream()).noneMatch(Double::isFinite);
    }

    Range xRange() {
        return x.range(DoubleStream.concat(
                numbers(curves.stream().flatMap(curve -> curve.x().stream())),
                DoubleStream.concat(
                        marks.stream().mapToDouble(Mark::x),
                        lanes.stream().flatMap(lane -> lane.spans().stream()).mapToDouble(Span::to))));
    }

    Range yRange() {
        return y.range(DoubleStream.concat(
                numbers(curves.stream().flatMap(curve -> curve.y().stream())),
                numbers(bands.stream().flatMap(band -> Stream.concat(band.low().stream(), band.high().stream())))));
    }

    private static DoubleStream numbers(Stream<Double> values) {
        return values.mapToDouble(Double::doubleValue);
    }
}
