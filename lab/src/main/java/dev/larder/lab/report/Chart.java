package dev.larder.lab.report;

/**
 * A chart, defined once and drawn as a {@link Drawing} on a {@link ReportPage} and in a file.
 *
 * <p>Missing values are NaN and leave a gap. On a logarithmic axis, zero is drawn at the lower edge.
 */
public sealed interface Chart permits BarChart, Plot {

    /** Returns the name of the file, without its ending. */
    String name();

    /** Returns the title above the chart. */
    String title();
}
