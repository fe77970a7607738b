package dev.larder.lab.report;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A {@link BarChart} as SVG. Along: the axis of the values. Aside: the categories, one after another.
 *
 * <p>On an axis without a zero each bar is a point on a line across the chart.
 */
final class BarDrawing {

    private static final double BAR = 18;
    private static final double BETWEEN = 12;
    private static final double STANDING_HEIGHT = 380;
    private static final double WIDEST_NAME = 270;
    private static final double TALLEST_NAME = 200;
    private static final double LONG_NAME = 70;
    private static final double FILLED = 0.82;
    private static final int MOST_TICKS = 8;
    private static final double VALUE_SPACE = 42;
    private static final int COLOURS = 8;
    private static final double MARKER = 5;

    private final BarChart chart;
    private final Range along;
    private final int count;
    private final Frame frame;
    private final double below;

    private BarDrawing(BarChart chart) {
        this.chart = chart;
        along = chart.range();
        count = Math.max(1, chart.categories().size());
        List<Axis.Tick> ticks = chart.values().ticks(along, MOST_TICKS);
        if (chart.standing()) {
            List<String> labels = ticks.stream().map(Axis.Tick::label).toList();
            frame = new Frame(chart.values().label(), Svg.widest(labels) + 10, STANDING_HEIGHT);
            frame.leftTicks(ticks, along);
            below = namesBelow();
        } else {
            frame = new Frame(
                    "",
                    Svg.widest(chart.categories().stream()
                                    .flatMap(name -> nameLines(name).stream())
                                    .toList())
                            + 12,
                    count * (rowHeight() + BETWEEN));
            frame.bottomTicks(ticks, along, chart.values().label(), 0);
            below = 2 * Svg.LINE + 12;
            names((name, middle) -> frame.svg.textAround("end", frame.left - 8, middle, nameLines(name)), 1);
        }
    }

    static Drawing of(BarChart chart) {
        return new BarDrawing(chart).draw();
    }

    private static List<String> nameLines(String name) {
        return Svg.lines(name, WIDEST_NAME);
    }

    private double rowHeight() {
        int lines = chart.categories().stream()
                .mapToInt(name -> nameLines(name).size())
                .max()
                .orElse(1);
        return Math.max(chart.abreast() * BAR / FILLED, lines * Svg.LINE);
    }

    private interface NameDrawer {
        void draw(String name, double middle);
    }

    private void names(NameDrawer drawer, int every) {
        for (int category = 0; category < chart.categories().size(); category += every) {
            drawer.draw(chart.categories().get(category), asidePixel(category));
        }
    }

    /** Names that are too long for their places are written upwards; short ones (sizes, numbers) are thinned out. */
    private double namesBelow() {
        double widest = Svg.widest(chart.categories());
        boolean upwards = widest > LONG_NAME && widest + 14 > slot();
        int every = (int) Math.max(1, Math.ceil((upwards ? Svg.LINE : widest + 14) / slot()));
        if (!upwards) {
            names((name, middle) -> frame.svg.text("middle", middle, frame.bottom() + 12, name), every);
            return Svg.LINE + 12;
        }
        names((name, middle) -> frame.svg.upwards("end", middle, frame.bottom() + 8, shortened(name)), every);
        return Math.min(TALLEST_NAME, widest) + 16;
    }

    private static String shortened(String name) {
        List<String> lines = Svg.lines(name, TALLEST_NAME);
        return lines.size() == 1 ? name : lines.getFirst() + "…";
    }

    /** The pixels that a category takes. */
    private double slot() {
        return (chart.standing() ? frame.width : frame.height) / count;
    }

    private double asidePixel(double place) {
        return (chart.standing() ? frame.left : frame.top) + (place + 0.5) * slot();
    }

    private double alongPixel(double value) {
        double position = Math.max(along.low(), chart.values().scale().position(value));
        return chart.standing() ? frame.y(along, position) : frame.x(along, position);
    }

    private Drawing draw() {
        boolean hasValues = !chart.standing() || slot() * FILLED / chart.abreast() >= VALUE_SPACE;
        for (int group = 0; group < chart.groups().size(); group++) {
            for (int category = 0; category < chart.categories().size(); category++) {
                draw(group, category, hasValues);
            }
        }
        boolean named = chart.groups().size() > 1;
        return frame.end(below, chart.isEmpty(), named ? legend() : List.of());
    }

    private void draw(int group, int category, boolean hasValue) {
        BarChart.Bar bar = chart.groups().get(group).bars().get(category);
        double base = chart.stacked() ? chart.base(group, category) : 0;
        double thickness = slot() * FILLED / chart.abreast();
        double edge = asidePixel(category - FILLED / 2) + (chart.stacked() ? 0 : group * thickness);
        double middle = edge + thickness / 2;
        if (Double.isFinite(bar.value()) && chart.hasZero()) {
            drawBar(group, category, "", box(alongPixel(base), alongPixel(base + bar.value()), edge, thickness));
        } else if (Double.isFinite(bar.value())) {
            drawPoint(group, category, middle);
        }
        if (bar.hasWhisker() && !chart.stacked()) {
            drawWhisker(alongPixel(bar.low()), alongPixel(bar.high()), middle);
        }
        if (hasValue && (!chart.stacked() || group == chart.groups().size() - 1)) {
            drawValue(chart.stacked() ? new BarChart.Bar(chart.base(group + 1, category)) : bar, middle);
        }
    }

    private void drawPoint(int group, int category, double middle) {
        double along = alongPixel(chart.groups().get(group).bars().get(category).value());
        if (chart.standing()) {
            drawBar(group, category, Svg.at(middle, along), CurveDrawing.marker(group));
        } else {
            frame.svg.line("grid", frame.left, middle, frame.left + frame.width, middle);
            drawBar(group, category, Svg.at(along, middle), CurveDrawing.marker(group));
        }
    }

    private void drawBar(int group, int category, String attributes, String shape) {
        BarChart.Group own = chart.groups().get(group);
        String title = chart.categories().get(category) + ", " + own.name() + ": "
                + chart.words(own.bars().get(category));
        frame.content.path("fill " + CurveDrawing.colour(group), attributes + paler(group), shape, title);
    }

    /** Bars have no dashes: the second time round they are paler, the third time again. */
    private static String paler(int group) {
        int round = group / COLOURS;
        return round == 0 ? "" : Svg.format(" fill-opacity=\"%.2f\"", 1 / (1 + 0.8 * round));
    }

    private String box(double from, double to, double edge, double thickness) {
        return chart.standing()
                ? Svg.box(edge, Math.min(from, to), thickness, Math.abs(from - to))
                : Svg.box(Math.min(from, to), edge, Math.abs(to - from), thickness);
    }

    private void drawWhisker(double low, double high, double middle) {
        line(low, middle, high, middle);
        line(low, middle - 4, low, middle + 4);
        line(high, middle - 4, high, middle + 4);
    }

    /** Draws a line between two points given along and aside. */
    private void line(double along1, double aside1, double along2, double aside2) {
        if (chart.standing()) {
            frame.content.line("whisker", aside1, along1, aside2, along2);
        } else {
            frame.content.line("whisker", along1, aside1, along2, aside2);
        }
    }

    private void drawValue(BarChart.Bar bar, double middle) {
        String text = chart.values().text(bar.value());
        double end = alongPixel(bar.hasWhisker() ? bar.high() : Double.isNaN(bar.value()) ? 0 : bar.value());
        double room = chart.hasZero() ? 0 : MARKER;
        if (chart.standing()) {
            frame.svg.text("strong middle", middle, end - 9 - room, text);
        } else {
            frame.svg.text("strong", end + 6 + room, middle, text);
        }
    }

    private List<Frame.Entry> legend() {
        return IntStream.range(0, chart.groups().size()).mapToObj(this::entry).toList();
    }

    private Frame.Entry entry(int group) {
        String name = chart.groups().get(group).name();
        String colour = "fill " + CurveDrawing.colour(group);
        return chart.hasZero()
                ? Frame.Entry.box(name, colour, paler(group))
                : new Frame.Entry(
                        name, new Svg().path(colour, Svg.at(15, 0) + paler(group), CurveDrawing.marker(group), ""));
    }
}
