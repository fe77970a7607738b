package dev.larder.lab.report;

import java.util.List;

/**
 * The parts around a plot.
 *
 * <pre>
 *   label of the vertical axis
 *   ticks | plot
 *         | below: lanes, ticks, label of the horizontal axis
 *   legend
 * </pre>
 */
final class Frame {

    static final double WIDTH = 960;

    private static final double RIGHT = 28;
    private static final double SAMPLE = 30;
    private static final double GAP = 8;
    private static final double BETWEEN = 22;

    /**
     * A name in the legend.
     *
     * @param sample of its drawing, from 0 to 30 around the height 0
     */
    record Entry(String name, Svg sample) {

        /** A box, for bars and shades. */
        static Entry box(String name, String classes, String attributes) {
            return new Entry(name, new Svg().path(classes, attributes, Svg.box(0, -6, SAMPLE, 12), ""));
        }
    }

    final Svg svg = new Svg();
    final Svg content = new Svg();
    final double left;
    final double top;
    final double width;
    final double height;

    Frame(String upright, double left, double height) {
        this.left = Math.ceil(left);
        this.height = height;
        top = upright.isEmpty() ? 8 : 8 + Svg.LINE;
        width = WIDTH - this.left - RIGHT;
        svg.text("", 2, 9, upright);
    }

    double x(Range range, double position) {
        return left + range.share(position) * width;
    }

    double y(Range range, double position) {
        return bottom() - range.share(position) * height;
    }

    double bottom() {
        return top + height;
    }

    void leftTicks(List<Axis.Tick> ticks, Range range) {
        for (Axis.Tick tick : ticks) {
            double y = y(range, tick.position());
            svg.line("grid", left, y, left + width, y).text("end", left - 7, y, tick.label());
        }
    }

    /** Draws ticks and label of the x axis, so far below the plot. */
    void bottomTicks(List<Axis.Tick> ticks, Range range, String label, double gap) {
        for (Axis.Tick tick : ticks) {
            double x = x(range, tick.position());
            svg.line("grid", x, top, x, bottom()).text("middle", x, bottom() + gap + 12, tick.label());
        }
        svg.text("middle", left + width / 2, bottom() + gap + 12 + Svg.LINE, label);
    }

    /** Returns the drawing, with its legend so far below the plot. */
    Drawing end(double below, boolean isEmpty, List<Entry> legend) {
        svg.path("grid", "", Svg.box(left, top, width, height), "");
        if (isEmpty) {
            svg.text("middle", left + width / 2, top + height / 2, "no data");
        }
        svg.group(" class=\"content\"", content.toString());
        double end = legend(legend, bottom() + below);
        return new Drawing(svg.toString(), Math.ceil(end + 6));
    }

    /** Draws names in rows as wide as the drawing; a long name continues in the next line. Returns their end. */
    private double legend(List<Entry> entries, double from) {
        double x = 2;
        double y = from;
        double end = from;
        for (Entry entry : entries) {
            List<String> lines = Svg.lines(entry.name(), WIDTH - SAMPLE - GAP - 8);
            double needed = SAMPLE + GAP + Svg.widest(lines);
            if (x + needed > WIDTH) {
                x = 2;
                y = end;
            }
            double middle = y + lines.size() * Svg.LINE / 2;
            svg.group(Svg.at(x, middle), entry.sample().toString());
            svg.textAround("strong", x + SAMPLE + GAP, middle, lines);
            end = Math.max(end, y + lines.size() * Svg.LINE + 3);
            x += needed + BETWEEN;
        }
        return end;
    }
}
