package dev.larder.lab.report;

/**
 * A chart, described once and drawn as a {@link Drawing}, on a {@link ReportPage} and in a file.
 *
 * <p>Values that are not there are NaN and leave a gap. On a logarithmic axis, zero stands on the axis' lower edge.
 */
public sealed interface Chart permits BarChart, Plot {

    /** Returns the name of the file, without its ending. */
    String name();

    /** Returns what stands above the chart. */
    String title();
}
