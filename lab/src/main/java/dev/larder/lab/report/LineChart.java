package dev.larder.lab.report;

import java.util.List;

/**
 * Lines over one axis.
 *
 * @param name of the file, without its ending
 * @param title above the chart
 * @param horizontal the axis of {@code x}
 * @param vertical the axis of the lines
 * @param x ascending values of the horizontal axis
 * @param lines each with one value for each of {@code x}; NaN leaves a gap
 * @param bands each with a least and a greatest value for each of {@code x}
 * @param marks places on the horizontal axis
 */
public record LineChart(
        String name,
        String title,
        Axis horizontal,
        Axis vertical,
        List<Double> x,
        List<Line> lines,
        List<Band> bands,
        List<Mark> marks)
        implements Chart {

    /**
     * One line.
     *
     * @param baseline drawn thin and dashed: what the machine can do, not what is under test
     */
    public record Line(String name, List<Double> values, boolean baseline) {

        /** What is under test. */
        public Line(String name, List<Double> values) {
            this(name, values, false);
        }

        boolean isEmpty() {
            return values.stream().noneMatch(Double::isFinite);
        }
    }

    /** A shaded stretch between two lines, such as the least and the greatest of several rounds. */
    public record Band(String name, List<Double> low, List<Double> high) {}

    /** An upright line at a place of the horizontal axis. */
    public record Mark(double x, String text) {}

    public LineChart {
        int points = x.size();
        if (lines.stream().anyMatch(line -> line.values().size() != points)) {
            throw new IllegalArgumentException("a line of '" + title + "' has not one value for each of " + points
                    + " places: " + lines.stream().map(Line::name).toList());
        }
        lines = lines.stream().filter(line -> !line.isEmpty()).toList();
        bands = List.copyOf(bands);
        marks = List.copyOf(marks);
    }

    /** Lines alone. */
    public LineChart(String name, String title, Axis horizontal, Axis vertical, List<Double> x, List<Line> lines) {
        this(name, title, horizontal, vertical, x, lines, List.of(), List.of());
    }

    /** Lines alone, over linear axes whose labels say their units. */
    public LineChart(String name, String title, String xLabel, String yLabel, List<Double> x, List<Line> lines) {
        this(name, title, Axis.plain(xLabel), Axis.plain(yLabel), x, lines);
    }

    Plot plot() {
        return Plot.of(
                        name,
                        title,
                        horizontal,
                        vertical,
                        lines.stream().map(this::drawn).toList())
                .withBands(bands.stream()
                        .map(band -> new Plot.Band(band.name(), x, band.low(), band.high()))
                        .toList())
                .withMarks(marks.stream()
                        .map(mark -> new Plot.Mark(mark.x(), mark.text(), Plot.Mark.NO_CURVE))
                        .toList());
    }

    private Plot.Curve drawn(Line line) {
        return new Plot.Curve(line.name(), x, line.values(), line.baseline() ? Plot.Style.BASELINE : Plot.Style.CURVE);
    }
}
