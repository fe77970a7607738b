package dev.larder.lab.report;

import dev.larder.lab.result.LabException;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A {@link LineChart} as a PNG image; no display is needed. */
public final class ChartImage {

    private static final int WIDTH = 1400;
    private static final int HEIGHT = 700;
    private static final int FEW_POINTS = 60;

    private ChartImage() {}

    public static void write(LineChart chart, Path directory) {
        System.setProperty("java.awt.headless", "true");
        Path file = directory.resolve(chart.name() + ".png");
        try {
            ImageIO.write(BitmapEncoder.getBufferedImage(draw(chart)), "png", file.toFile());
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static XYChart draw(LineChart chart) {
        XYChart image = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(chart.title())
                .xAxisTitle(chart.xLabel())
                .yAxisTitle(chart.yLabel())
                .build();
        style(image.getStyler());
        for (int index = 0; index < chart.lines().size(); index++) {
            LineChart.Line line = chart.lines().get(index);
            add(image, chart, line, Color.decode(LineChart.COLOURS.get(index % LineChart.COLOURS.size())));
        }
        return image;
    }

    private static void add(XYChart image, LineChart chart, LineChart.Line line, Color colour) {
        XYSeries series = image.addSeries(line.name(), chart.x(), line.values());
        series.setLineColor(colour);
        series.setMarkerColor(colour);
        boolean few = chart.x().size() <= FEW_POINTS && !line.baseline();
        series.setMarker(few ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
        series.setLineStyle(
                line.baseline()
                        ? new BasicStroke(1.6f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {7, 5}, 0)
                        : new BasicStroke(2.4f));
    }

    private static void style(XYStyler styler) {
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 17);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setChartTitleFont(font.deriveFont(Font.BOLD, 20));
        styler.setAxisTitleFont(font);
        styler.setAxisTickLabelsFont(font);
        styler.setLegendFont(font);
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setPlotGridLinesColor(new Color(0xE0, 0xE0, 0xE0));
        styler.setMarkerSize(6);
        styler.setYAxisMin(0.0);
        styler.setXAxisMin(0.0);
    }
}
