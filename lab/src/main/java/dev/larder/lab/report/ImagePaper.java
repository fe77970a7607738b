package dev.larder.lab.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.XYStyler;

/**
 * The paper of an image, from its title to its legend, with room for a plot.
 *
 * <pre>
 *   title
 *   label of the upright axis
 *   ticks | plot
 *         | below: lanes, ticks, label of the level axis
 *   legend
 * </pre>
 *
 * <p>XChart draws what is in the plot. Its own frame knows no nines, no units on logarithmic axes and no legend that
 * wraps, so the frame is drawn here, and XChart gets positions.
 */
final class ImagePaper {

    static final int WIDTH = 1400;
    static final double MARGIN = 24;

    private static final double RIGHT = 36;
    private static final Color GRID = new Color(0xE0, 0xE3, 0xE7);
    private static final Color EDGE = new Color(0x9A, 0xA4, 0xAF);
    private static final Color NOTHING = new Color(255, 255, 255, 0);

    private final BufferedImage image;
    private final Graphics2D paper;
    private final Rectangle2D plot;

    /**
     * A paper with its title, upright label and legend.
     *
     * @param left the room for ticks at the left of the plot
     * @param height of the plot
     * @param below the room for ticks and labels below the plot
     */
    ImagePaper(String title, String upright, double left, double height, double below, ImageLegend legend) {
        List<String> titles = ImageText.lines(title, ImageText.TITLE, WIDTH - 2 * MARGIN);
        double label = upright.isEmpty() ? 0 : ImageText.LINE + 6;
        double top = MARGIN + titles.size() * ImageText.TITLE_LINE + 8 + label;
        double bottom = top + height + below;
        plot = new Rectangle2D.Double(MARGIN + left, top, Math.rint(WIDTH - 2 * MARGIN - RIGHT - left), height);
        image = new BufferedImage(
                WIDTH, (int) Math.ceil(bottom + 14 + legend.height() + MARGIN), BufferedImage.TYPE_INT_RGB);
        paper = image.createGraphics();
        clean();
        drawTitle(titles);
        font(ImageText.FONT, ImageText.SOFT);
        ImageText.draw(paper, upright, MARGIN, top - label / 2 - 3, 0);
        legend.draw(paper, MARGIN, bottom + 14);
    }

    /** The width that a legend may take. */
    static double legendRoom() {
        return WIDTH - 2 * MARGIN;
    }

    private void clean() {
        paper.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        paper.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        paper.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        paper.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        paper.setColor(Color.WHITE);
        paper.fillRect(0, 0, image.getWidth(), image.getHeight());
    }

    private void drawTitle(List<String> lines) {
        font(ImageText.TITLE, ImageText.INK);
        for (int line = 0; line < lines.size(); line++) {
            double middle = MARGIN + (line + 0.5) * ImageText.TITLE_LINE - 4;
            ImageText.draw(paper, lines.get(line), MARGIN, middle, 0);
        }
    }

    private void font(Font font, Color colour) {
        paper.setFont(font);
        paper.setColor(colour);
    }

    BufferedImage image() {
        return image;
    }

    /** Returns what draws on the paper, with the font and colour of ticks. */
    Graphics2D pen() {
        font(ImageText.FONT, ImageText.SOFT);
        return paper;
    }

    Rectangle2D plot() {
        return plot;
    }

    double x(Range range, double position) {
        return plot.getX() + range.share(position) * plot.getWidth();
    }

    double y(Range range, double position) {
        return plot.getMaxY() - range.share(position) * plot.getHeight();
    }

    void gridAcross(double y) {
        grid(new Line2D.Double(plot.getX(), y, plot.getMaxX(), y));
    }

    void gridUpright(double x) {
        grid(new Line2D.Double(x, plot.getY(), x, plot.getMaxY()));
    }

    private void grid(Line2D line) {
        paper.setColor(GRID);
        paper.setStroke(new BasicStroke(1));
        paper.draw(line);
    }

    /** Draws the grid and the ticks at the left. */
    void leftTicks(List<Axis.Tick> ticks, Range range) {
        for (Axis.Tick tick : ticks) {
            gridAcross(y(range, tick.position()));
            ImageText.draw(pen(), tick.label(), plot.getX() - 8, y(range, tick.position()), 1);
        }
    }

    /** Draws the grid and the ticks below, and the label of the axis; {@code gap} below the plot. */
    void bottomTicks(List<Axis.Tick> ticks, Range range, String label, double gap) {
        for (Axis.Tick tick : ticks) {
            gridUpright(x(range, tick.position()));
            ImageText.draw(pen(), tick.label(), x(range, tick.position()), plot.getMaxY() + gap + 14, 0.5);
        }
        ImageText.draw(pen(), label, plot.getCenterX(), plot.getMaxY() + gap + 14 + ImageText.LINE + 3, 0.5);
    }

    void edge() {
        paper.setColor(EDGE);
        paper.setStroke(new BasicStroke(1));
        paper.draw(plot);
    }

    void nothing() {
        ImageText.draw(pen(), "no data", plot.getCenterX(), plot.getCenterY(), 0.5);
    }

    /** Returns a chart of XChart that fills the plot and has no frame of its own. */
    XYChart chart(Range across, Range upright) {
        XYChart chart = new XYChart((int) plot.getWidth(), (int) plot.getHeight());
        XYStyler styler = chart.getStyler();
        styler.setChartTitleVisible(false)
                .setLegendVisible(false)
                .setChartPadding(0)
                .setPlotContentSize(1);
        styler.setPlotBorderVisible(false).setChartBackgroundColor(NOTHING).setPlotBackgroundColor(NOTHING);
        styler.setAxisTicksVisible(false).setAxisTitlesVisible(false).setPlotMargin(0);
        styler.setPlotGridLinesVisible(false).setPlotTicksMarksVisible(false);
        styler.setXAxisMin(across.low()).setXAxisMax(across.high());
        styler.setYAxisMin(upright.low()).setYAxisMax(upright.high());
        styler.setMarkerSize(9);
        return chart;
    }

    void paste(XYChart chart) {
        Graphics2D within =
                (Graphics2D) paper.create((int) plot.getX(), (int) plot.getY(), chart.getWidth(), chart.getHeight());
        chart.paint(within, chart.getWidth(), chart.getHeight());
        within.dispose();
    }
}
