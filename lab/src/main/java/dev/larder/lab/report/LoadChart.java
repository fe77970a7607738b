package dev.larder.lab.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A response time, or the rate that was answered, by the load that was offered, for several configurations.
 *
 * @param name of the file, without its ending
 * @param title above the chart
 * @param load the horizontal axis
 * @param values the vertical axis
 * @param curves one for each configuration, each with loads of its own
 */
public record LoadChart(String name, String title, Axis load, Axis values, List<Curve> curves) implements Chart {

    /**
     * What one load led to.
     *
     * @param load in the unit of the horizontal axis
     * @param value in the unit of the vertical axis
     */
    public record Point(double load, double value) {}

    /**
     * One configuration, its loads ascending.
     *
     * @param saturation the load from which on the answers fall behind; NaN if none was found
     */
    public record Curve(String name, List<Point> points, double saturation) {

        /** A configuration that was not driven to saturation. */
        public Curve(String name, List<Point> points) {
            this(name, points, Double.NaN);
        }
    }

    public LoadChart {
        curves = List.copyOf(curves);
    }

    /** Loads in requests a second on a linear axis. */
    public LoadChart(String name, String title, Axis values, List<Curve> curves) {
        this(name, title, Axis.of("offered load", Unit.PER_SECOND), values, curves);
    }

    Plot plot() {
        return Plot.of(
                        name,
                        title,
                        load,
                        values,
                        curves.stream().map(this::drawn).toList())
                .withMarks(saturations());
    }

    private Plot.Curve drawn(Curve curve) {
        return new Plot.Curve(
                curve.name() + (Double.isNaN(curve.saturation()) ? "" : saturated(curve)),
                curve.points().stream().map(Point::load).toList(),
                curve.points().stream().map(Point::value).toList(),
                Plot.Style.CURVE);
    }

    private String saturated(Curve curve) {
        return " (saturated at " + load.unit().text(curve.saturation()) + ")";
    }

    private List<Plot.Mark> saturations() {
        List<Plot.Mark> marks = new ArrayList<>();
        for (int index = 0; index < curves.size(); index++) {
            if (!Double.isNaN(curves.get(index).saturation())) {
                marks.add(new Plot.Mark(curves.get(index).saturation(), "", index));
            }
        }
        return marks;
    }
}
