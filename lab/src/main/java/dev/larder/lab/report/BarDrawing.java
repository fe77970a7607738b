package dev.larder.lab.report;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A {@link BarChart} as SVG: the value axis is horizontal, the categories are one below another.
 *
 * <p>On an axis without a zero each bar is a point on a line across the chart.
 */
final class BarDrawing {

    private static final double BAR = 18;
    private static final double BETWEEN = 12;
    private static final double WIDEST_NAME = 270;
    private static final double FILLED = 0.82;
    private static final int MOST_TICKS = 8;
    private static final int COLOURS = 8;
    private static final double MARKER = 5;

    private final BarChart chart;
    private final Range along;
    private final Frame frame;
    private final double row;
    private final double thickness;

    private BarDrawing(BarChart chart) {
        this.chart = chart;
        along = chart.range();
        List<List<String>> names = chart.categories().stream()
                .map(name -> Svg.lines(name, WIDEST_NAME))
                .toList();
        int lines = names.stream().mapToInt(List::size).max().orElse(1);
        row = Math.max(chart.abreast() * BAR / FILLED, lines * Svg.LINE) + BETWEEN;
        thickness = row * FILLED / chart.abreast();
        double widest = Svg.widest(names.stream().flatMap(List::stream).toList());
        frame = new Frame("", widest + 12, Math.max(1, names.size()) * row);
        frame.bottomTicks(
                chart.values().ticks(along, MOST_TICKS), along, chart.values().label(), 0);
        for (int category = 0; category < names.size(); category++) {
            frame.svg.textAround("end", frame.left - 8, y(category + 0.5), names.get(category));
        }
    }

    static Drawing of(BarChart chart) {
        return new BarDrawing(chart).draw();
    }

    private double x(double value) {
        return frame.x(along, Math.max(along.low(), chart.values().scale().position(value)));
    }

    private double y(double category) {
        return frame.top + category * row;
    }

    private Drawing draw() {
        for (int group = 0; group < chart.groups().size(); group++) {
            for (int category = 0; category < chart.categories().size(); category++) {
                draw(group, category);
            }
        }
        boolean named = chart.groups().size() > 1;
        return frame.end(2 * Svg.LINE + 12, chart.isEmpty(), named ? legend() : List.of());
    }

    private void draw(int group, int category) {
        BarChart.Bar bar = chart.groups().get(group).bars().get(category);
        double base = chart.stacked() ? chart.base(group, category) : 0;
        double top = y(category + (1 - FILLED) / 2) + (chart.stacked() ? 0 : group * thickness);
        double middle = top + thickness / 2;
        if (Double.isFinite(bar.value()) && chart.hasZero()) {
            double end = x(base + bar.value());
            String box = Svg.box(Math.min(x(base), end), top, Math.abs(end - x(base)), thickness);
            drawBar(group, category, "", box);
        } else if (Double.isFinite(bar.value())) {
            frame.svg.line("grid", frame.left, middle, frame.left + frame.width, middle);
            drawBar(group, category, Svg.at(x(bar.value()), middle), CurveDrawing.marker(group));
        }
        if (bar.hasWhisker() && !chart.stacked()) {
            drawWhisker(x(bar.low()), x(bar.high()), middle);
        }
        if (!chart.stacked() || group == chart.groups().size() - 1) {
            drawValue(chart.stacked() ? new BarChart.Bar(chart.base(group + 1, category)) : bar, middle);
        }
    }

    private void drawBar(int group, int category, String attributes, String shape) {
        BarChart.Group own = chart.groups().get(group);
        String title = chart.categories().get(category) + ", " + own.name() + ": "
                + chart.words(own.bars().get(category));
        frame.content.path("fill " + CurveDrawing.colour(group), attributes + paler(group), shape, title);
    }

    /** Bars have no dashes: each time the colours repeat, they are paler. */
    private static String paler(int group) {
        int round = group / COLOURS;
        return round == 0 ? "" : Svg.format(" fill-opacity=\"%.2f\"", 1 / (1 + 0.8 * round));
    }

    private void drawWhisker(double low, double high, double middle) {
        frame.content
                .line("whisker", low, middle, high, middle)
                .line("whisker", low, middle - 4, low, middle + 4)
                .line("whisker", high, middle - 4, high, middle + 4);
    }

    private void drawValue(BarChart.Bar bar, double middle) {
        double end = bar.hasWhisker() ? bar.high() : Double.isNaN(bar.value()) ? 0 : bar.value();
        double room = chart.hasZero() ? 6 : 6 + MARKER;
        frame.svg.text("strong", x(end) + room, middle, chart.values().text(bar.value()));
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
