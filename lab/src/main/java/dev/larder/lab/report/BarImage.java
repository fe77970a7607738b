package dev.larder.lab.report;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A {@link BarChart} as an image. Along: the axis of the values. Aside: the categories, one after another. */
final class BarImage {

    private static final double BAR = 20;
    private static final double BETWEEN = 16;
    private static final double STANDING_HEIGHT = 520;
    private static final double WIDEST_NAME = 430;
    private static final double TALLEST_NAME = 260;
    private static final double LONG_NAME = 90;
    private static final double NAME_SPACE = 14;
    private static final double FILLED = 0.82;
    private static final int MOST_TICKS = 10;
    private static final double VALUE_SPACE = 46;

    private final BarChart chart;
    private final Range along;
    private final Range aside;
    private final List<Axis.Tick> ticks;
    private final ImagePaper paper;

    private BarImage(BarChart chart) {
        this.chart = chart;
        along = chart.range();
        aside = new Range(-0.5, Math.max(1, chart.categories().size()) - 0.5);
        ticks = chart.values().ticks(along, MOST_TICKS);
        ImageLegend legend = new ImageLegend(legend(), ImagePaper.legendRoom());
        paper = chart.standing() ? standingPaper(legend) : lyingPaper(legend);
    }

    static BufferedImage draw(BarChart chart) {
        return new BarImage(chart).draw();
    }

    private ImagePaper lyingPaper(ImageLegend legend) {
        double names = chart.categories().stream()
                .mapToDouble(name -> ImageText.widest(nameLines(name)))
                .max()
                .orElse(0);
        double row = chart.categories().stream()
                .mapToDouble(name ->
                        Math.max(chart.abreast() * BAR / FILLED, nameLines(name).size() * ImageText.LINE))
                .max()
                .orElse(BAR);
        double height = Math.max(1, chart.categories().size()) * (row + BETWEEN);
        return new ImagePaper(
                chart.title(), "", Math.ceil(names) + 12, Math.rint(height), 2 * ImageText.LINE + 8, legend);
    }

    private static List<String> nameLines(String name) {
        return ImageText.lines(name, ImageText.FONT, WIDEST_NAME);
    }

    private ImagePaper standingPaper(ImageLegend legend) {
        double left = ImageText.widest(ticks.stream().map(Axis.Tick::label).toList()) + 10;
        double names = Math.min(TALLEST_NAME, ImageText.widest(chart.categories())) + 14;
        double below = isRotated(left) ? names : ImageText.LINE + 8;
        return new ImagePaper(
                chart.title(), chart.values().label(), Math.ceil(left), STANDING_HEIGHT, Math.ceil(below), legend);
    }

    /** Names that are too long for their places are written upwards; short ones (sizes, numbers) are thinned out. */
    private boolean isRotated(double left) {
        double room = (ImagePaper.legendRoom() - left)
                / Math.max(1, chart.categories().size());
        double widest = ImageText.widest(chart.categories());
        return widest > LONG_NAME && widest + NAME_SPACE > room;
    }

    private BufferedImage draw() {
        if (chart.standing()) {
            paper.leftTicks(ticks, along);
            drawNamesBelow();
        } else {
            paper.bottomTicks(ticks, along, chart.values().label(), 0);
            drawNamesAtTheLeft();
        }
        paper.edge();
        if (chart.isEmpty()) {
            paper.nothing();
        } else {
            paper.paste(bars());
            drawWhiskers();
            drawValues();
        }
        return paper.image();
    }

    private void drawNamesAtTheLeft() {
        for (int category = 0; category < chart.categories().size(); category++) {
            ImageText.drawAround(
                    paper.pen(),
                    nameLines(chart.categories().get(category)),
                    paper.plot().getX() - 10,
                    asidePixel(category),
                    1);
        }
    }

    private void drawNamesBelow() {
        boolean rotated = isRotated(paper.plot().getX() - ImagePaper.MARGIN);
        double needed = rotated ? ImageText.LINE : ImageText.widest(chart.categories()) + NAME_SPACE;
        int every = (int) Math.max(1, Math.ceil(needed / slot()));
        for (int category = 0; category < chart.categories().size(); category += every) {
            drawNameBelow(chart.categories().get(category), asidePixel(category), rotated);
        }
    }

    private void drawNameBelow(String name, double x, boolean rotated) {
        double top = paper.plot().getMaxY();
        if (!rotated) {
            ImageText.draw(paper.pen(), name, x, top + 14, 0.5);
            return;
        }
        Graphics2D pen = (Graphics2D) paper.pen().create();
        pen.rotate(-Math.PI / 2, x, top + 8);
        ImageText.draw(pen, shortened(name), x, top + 8, 1);
        pen.dispose();
    }

    private static String shortened(String name) {
        List<String> lines = ImageText.lines(name, ImageText.FONT, TALLEST_NAME - 16);
        return lines.size() == 1 ? name : lines.getFirst() + "…";
    }

    /** The pixels that a category takes. */
    private double slot() {
        double all = chart.standing() ? paper.plot().getWidth() : paper.plot().getHeight();
        return all / Math.max(1, chart.categories().size());
    }

    private double asidePixel(double place) {
        return chart.standing()
                ? paper.x(aside, place)
                : paper.plot().getY() + aside.share(place) * paper.plot().getHeight();
    }

    private double alongPixel(double value) {
        double position = chart.values().scale().position(value);
        return chart.standing() ? paper.y(along, position) : paper.x(along, position);
    }

    /** Returns where a bar's near edge stands among the categories. */
    private double edge(int group, int category) {
        return category - FILLED / 2 + (chart.stacked() ? 0 : group * thickness());
    }

    private double thickness() {
        return FILLED / chart.abreast();
    }

    private XYChart bars() {
        Range downwards = new Range(-aside.high(), -aside.low());
        XYChart bars = chart.standing() ? paper.chart(aside, along) : paper.chart(along, downwards);
        for (int group = 0; group < chart.groups().size(); group++) {
            addGroup(bars, group);
        }
        return bars;
    }

    /** One polygon a bar, one after another in the same series: NaN ends a polygon. */
    private void addGroup(XYChart bars, int group) {
        List<double[]> corners = new ArrayList<>();
        for (int category = 0; category < chart.categories().size(); category++) {
            double value = chart.groups().get(group).bars().get(category).value();
            if (Double.isFinite(value)) {
                addCorners(corners, group, category, value);
            }
        }
        if (corners.isEmpty()) {
            return;
        }
        double[] alongs = corners.stream().mapToDouble(corner -> corner[0]).toArray();
        double[] asides = corners.stream().mapToDouble(corner -> corner[1]).toArray();
        XYSeries series = chart.standing()
                ? bars.addSeries("group " + group, asides, alongs)
                : bars.addSeries("group " + group, alongs, downwards(asides));
        series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
        series.setLineStyle(SeriesLines.NONE);
        series.setMarker(SeriesMarkers.NONE);
        series.setFillColor(Palette.bar(group));
    }

    private void addCorners(List<double[]> corners, int group, int category, double value) {
        double base = chart.stacked() ? chart.base(group, category) : 0;
        double near = Math.max(along.low(), chart.values().scale().position(base));
        double far = Math.max(along.low(), chart.values().scale().position(chart.stacked() ? base + value : value));
        double edge = edge(group, category);
        double end = edge + thickness();
        corners.add(new double[] {near, edge});
        corners.add(new double[] {far, edge});
        corners.add(new double[] {far, end});
        corners.add(new double[] {near, end});
        corners.add(chart.standing() ? new double[] {Double.NaN, end} : new double[] {near, Double.NaN});
    }

    private static double[] downwards(double[] asides) {
        return Arrays.stream(asides).map(aside -> -aside).toArray();
    }

    private void drawWhiskers() {
        forEachBar((group, category, bar) -> {
            if (bar.hasWhisker() && !chart.stacked()) {
                double middle = asidePixel(edge(group, category) + thickness() / 2);
                drawWhisker(alongPixel(bar.low()), alongPixel(bar.high()), middle);
            }
        });
    }

    private void drawWhisker(double low, double high, double middle) {
        Graphics2D pen = paper.pen();
        pen.setColor(ImageText.INK);
        pen.setStroke(new BasicStroke(1.6f));
        line(pen, low, middle, high, middle);
        line(pen, low, middle - 5, low, middle + 5);
        line(pen, high, middle - 5, high, middle + 5);
    }

    /** Draws a line between two points given along and aside. */
    private void line(Graphics2D pen, double along1, double aside1, double along2, double aside2) {
        pen.draw(
                chart.standing()
                        ? new Line2D.Double(aside1, along1, aside2, along2)
                        : new Line2D.Double(along1, aside1, along2, aside2));
    }

    private void drawValues() {
        if (chart.standing() && slot() * thickness() < VALUE_SPACE) {
            return;
        }
        forEachBar((group, category, bar) -> {
            if (!chart.stacked() || group == chart.groups().size() - 1) {
                drawValue(group, category, bar);
            }
        });
    }

    private void drawValue(int group, int category, BarChart.Bar bar) {
        double value = chart.stacked() ? chart.base(chart.groups().size(), category) : bar.value();
        String text = chart.values().unit().text(value);
        double end = alongPixel(bar.hasWhisker() && !chart.stacked() ? bar.high() : Double.isNaN(value) ? 0 : value);
        double middle = asidePixel(edge(group, category) + thickness() / 2);
        Graphics2D pen = paper.pen();
        pen.setColor(ImageText.INK);
        ImageText.draw(
                pen,
                text,
                chart.standing() ? middle : end + 7,
                chart.standing() ? end - 12 : middle,
                chart.standing() ? 0.5 : 0);
    }

    private interface BarVisitor {
        void visit(int group, int category, BarChart.Bar bar);
    }

    private void forEachBar(BarVisitor visitor) {
        for (int group = 0; group < chart.groups().size(); group++) {
            for (int category = 0; category < chart.categories().size(); category++) {
                visitor.visit(group, category, chart.groups().get(group).bars().get(category));
            }
        }
    }

    private List<ImageLegend.Entry> legend() {
        List<ImageLegend.Entry> entries = new ArrayList<>();
        for (int group = 0; group < chart.groups().size(); group++) {
            int index = group;
            entries.add(new ImageLegend.Entry(chart.groups().get(group).name(), (pen, left, right, middle) -> {
                pen.setColor(Palette.bar(index));
                pen.fill(new Rectangle2D.Double(left, middle - 7, right - left, 14));
            }));
        }
        return entries.size() > 1 ? entries : List.of();
    }
}
