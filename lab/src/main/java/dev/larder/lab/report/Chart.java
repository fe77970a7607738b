package dev.larder.lab.report;

/**
 * A chart, described once and drawn twice: as an image by {@link ChartImage}, and on a {@link ReportPage}.
 *
 * <p>Values that are not there are NaN and leave a gap. On a logarithmic axis, zero stands on the axis' lower edge.
 */
public sealed interface Chart permits BarChart, LineChart, LoadChart, PercentileChart, TimelineChart {

    /** Returns the name of the image file, without its ending. */
    String name();

    /** Returns what stands above the chart. */
    String title();
}
