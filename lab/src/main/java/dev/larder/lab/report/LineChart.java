package dev.larder.lab.report;

import java.util.List;

/**
 * Lines over one axis, drawn as an image and on a page alike.
 *
 * @param name of the image file, without its ending
 * @param title above the chart
 * @param xLabel of the horizontal axis, with its unit
 * @param yLabel of the vertical axis, with its unit
 * @param x ascending values of the horizontal axis
 * @param lines each with one value for each of {@code x}; NaN leaves a gap
 */
public record LineChart(String name, String title, String xLabel, String yLabel, List<Double> x, List<Line> lines) {

    /** Colours that stay apart for every kind of colour vision (after Okabe and Ito), in the order of the lines. */
    public static final List<String> COLOURS =
            List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C8C8C", "#B8A900");

    /**
     * One line.
     *
     * @param baseline drawn thin and dashed: what the machine can do, not what is under test
     */
    public record Line(String name, List<Double> values, boolean baseline) {

        boolean isEmpty() {
            return values.stream().allMatch(value -> value.isNaN());
        }
    }

    public LineChart {
        int points = x.size();
        assert lines.stream().allMatch(line -> line.values().size() == points);
        lines = lines.stream().filter(line -> !line.isEmpty()).toList();
    }
}
