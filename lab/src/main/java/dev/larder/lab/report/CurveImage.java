package dev.larder.lab.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A {@link Plot} as an image. */
final class CurveImage {

    static final double HEIGHT = 520;
    private static final int MOST_LEFT_TICKS = 11;
    private static final int MOST_BOTTOM_TICKS = 12;
    private static final double LANE = 16;
    private static final int MOST_MARKERS = 60;
    private static final int SHADE = 34;

    private final Plot plot;
    private final Range across;
    private final Range upright;
    private final List<Axis.Tick> leftTicks;
    private final ImagePaper paper;

    private CurveImage(Plot plot) {
        this.plot = plot;
        across = plot.xRange();
        upright = plot.yRange();
        leftTicks = plot.y().ticks(upright, MOST_LEFT_TICKS);
        double left = ImageText.widest(leftTicks.stream().map(Axis.Tick::label).toList()) + 10;
        paper = new ImagePaper(
                plot.title(),
                plot.y().label(),
                Math.ceil(left),
                HEIGHT,
                lanesHeight() + 2 * ImageText.LINE + 8,
                new ImageLegend(legend(), ImagePaper.legendRoom()));
    }

    static BufferedImage draw(Plot plot) {
        return new CurveImage(plot).draw();
    }

    private double lanesHeight() {
        return plot.lanes().isEmpty() ? 0 : plot.lanes().size() * LANE + 6;
    }

    private BufferedImage draw() {
        paper.leftTicks(leftTicks, upright);
        paper.bottomTicks(
                plot.x().ticks(across, MOST_BOTTOM_TICKS), across, plot.x().label(), lanesHeight());
        IntStream.range(0, plot.lanes().size()).forEach(this::drawLane);
        plot.marks().forEach(this::drawMark);
        paper.edge();
        if (plot.isEmpty()) {
            paper.nothing();
        } else {
            paper.paste(curves());
        }
        return paper.image();
    }

    private XYChart curves() {
        XYChart chart = paper.chart(across, upright);
        for (int index = 0; index < plot.bands().size(); index++) {
            addBand(chart, plot.bands().get(index), index);
        }
        for (int index = 0; index < plot.curves().size(); index++) {
            addCurve(chart, plot.curves().get(index), index);
        }
        return chart;
    }

    private void addCurve(XYChart chart, Plot.Curve curve, int index) {
        if (curve.x().isEmpty()) {
            return;
        }
        XYSeries series = chart.addSeries("curve " + index, xs(curve.x()), ys(curve.y()));
        series.setLineColor(Palette.colour(index));
        series.setLineStyle(Palette.stroke(index, curve.style()));
        series.setMarker(SeriesMarkers.NONE);
        addMarkers(chart, curve, index);
    }

    /** Markers tell curves apart where colours do not; a long curve has only some. */
    private void addMarkers(XYChart chart, Plot.Curve curve, int index) {
        int[] marked = marked(curve);
        if (marked.length == 0) {
            return;
        }
        XYSeries series = chart.addSeries(
                "markers " + index,
                xs(Arrays.stream(marked).mapToObj(curve.x()::get).toList()),
                ys(Arrays.stream(marked).mapToObj(curve.y()::get).toList()));
        series.setLineStyle(SeriesLines.NONE);
        series.setMarker(Palette.marker(index));
        series.setMarkerColor(Palette.colour(index));
    }

    /** Returns which points get a marker: all of a short curve, some of a long one, and the last; none of a baseline. */
    private static int[] marked(Plot.Curve curve) {
        int[] finite = IntStream.range(0, curve.y().size())
                .filter(point -> Double.isFinite(curve.y().get(point)))
                .toArray();
        int every = (finite.length + MOST_MARKERS - 1) / MOST_MARKERS;
        return curve.style() == Plot.Style.BASELINE && finite.length > 1
                ? new int[0]
                : IntStream.range(0, finite.length)
                        .filter(point -> point % every == 0 || point == finite.length - 1)
                        .map(point -> finite[point])
                        .toArray();
    }

    private void addBand(XYChart chart, Plot.Band band, int index) {
        List<Double> x = new ArrayList<>(band.x());
        List<Double> y = new ArrayList<>(band.low());
        x.addAll(band.x().reversed());
        y.addAll(band.high().reversed());
        int[] finite = IntStream.range(0, y.size())
                .filter(point -> Double.isFinite(y.get(point)))
                .toArray();
        if (finite.length == 0) {
            return;
        }
        XYSeries series = chart.addSeries(
                "band " + index,
                xs(Arrays.stream(finite).mapToObj(x::get).toList()),
                ys(Arrays.stream(finite).mapToObj(y::get).toList()));
        series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
        series.setLineStyle(SeriesLines.NONE);
        series.setMarker(SeriesMarkers.NONE);
        series.setFillColor(translucent(Palette.colour(index), 2 * SHADE));
    }

    private double[] xs(List<Double> values) {
        return positions(values, plot.x(), across);
    }

    private double[] ys(List<Double> values) {
        return positions(values, plot.y(), upright);
    }

    /** What has no place on the axis stands on its lower edge; NaN stays a gap. */
    private static double[] positions(List<Double> values, Axis axis, Range range) {
        return values.stream()
                .mapToDouble(value -> Double.isFinite(value)
                        ? Math.max(range.low(), axis.scale().position(value))
                        : Double.NaN)
                .toArray();
    }

    private void drawMark(Plot.Mark mark) {
        Graphics2D pen = paper.pen();
        double x = paper.x(across, plot.x().scale().position(mark.x()));
        ImageText.draw(pen, mark.text(), x + 6, paper.plot().getY() + 14, 0);
        pen.setColor(mark.curve() == Plot.Mark.NO_CURVE ? ImageText.SOFT : Palette.colour(mark.curve()));
        pen.setStroke(new BasicStroke(1.8f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {2, 5}, 0));
        pen.draw(new Line2D.Double(x, paper.plot().getY(), x, paper.plot().getMaxY()));
    }

    private void drawLane(int index) {
        Plot.Lane lane = plot.lanes().get(index);
        double top = paper.plot().getMaxY() + 4 + index * LANE;
        Graphics2D pen = paper.pen();
        pen.setColor(Palette.lane(index));
        lane.spans().forEach(span -> pen.fill(rectangle(span, top, LANE - 4)));
        pen.setColor(translucent(Palette.lane(index), SHADE));
        lane.longest()
                .forEach(span -> pen.fill(
                        rectangle(span, paper.plot().getY(), paper.plot().getHeight())));
    }

    private Rectangle2D rectangle(Plot.Span span, double top, double height) {
        double from = paper.x(across, plot.x().scale().position(span.from()));
        double to = paper.x(across, plot.x().scale().position(span.to()));
        return new Rectangle2D.Double(from, top, Math.max(1.5, to - from), height);
    }

    private static Color translucent(Color colour, int alpha) {
        return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), alpha);
    }

    private List<ImageLegend.Entry> legend() {
        List<ImageLegend.Entry> entries = new ArrayList<>();
        for (int index = 0; index < plot.curves().size(); index++) {
            entries.add(entry(plot.curves().get(index), index));
        }
        for (int index = 0; index < plot.bands().size(); index++) {
            Color colour = translucent(Palette.colour(index), 2 * SHADE);
            entries.add(box(plot.bands().get(index).name(), colour));
        }
        for (int index = 0; index < plot.lanes().size(); index++) {
            entries.add(box(plot.lanes().get(index).name(), Palette.lane(index)));
        }
        return entries;
    }

    private static ImageLegend.Entry entry(Plot.Curve curve, int index) {
        return new ImageLegend.Entry(curve.name(), (pen, left, right, middle) -> {
            pen.setColor(Palette.colour(index));
            pen.setStroke(Palette.stroke(index, curve.style()));
            pen.draw(new Line2D.Double(left, middle, right, middle));
            Marker marker = curve.style() == Plot.Style.BASELINE ? SeriesMarkers.NONE : Palette.marker(index);
            marker.paint(pen, (left + right) / 2, middle, 9);
        });
    }

    private static ImageLegend.Entry box(String name, Color colour) {
        return new ImageLegend.Entry(name, (pen, left, right, middle) -> {
            pen.setColor(colour);
            pen.fill(new Rectangle2D.Double(left, middle - 7, right - left, 14));
        });
    }
}
