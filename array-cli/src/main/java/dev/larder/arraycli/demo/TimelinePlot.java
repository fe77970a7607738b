package dev.larder.arraycli.demo;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A timeline as a picture (SVG): the events on top, operations a second below, then the longest wait. A line goes down from each
 * event.
 */
final class TimelinePlot {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 640;
    private static final int LEFT = 80;
    private static final int RIGHT = 870;
    private static final int PANEL_HEIGHT = 180;
    private static final int UPPER_TOP = 150;
    private static final int LOWER_TOP = 400;
    private static final int TICKS = 4;
    private static final int EVENTS_TOP = 46;
    private static final int EVENT_ROWS = 6;
    private static final int EVENT_HEIGHT = 15;

    private final Timeline timeline;
    private final double seconds;
    private final StringBuilder svg = new StringBuilder();

    private TimelinePlot(Timeline timeline) {
        this.timeline = timeline;
        this.seconds = DoubleStream.concat(
                        timeline.samples().stream().mapToDouble(Timeline.Sample::second),
                        timeline.events().stream().mapToDouble(Timeline.Event::second))
                .reduce(1, Math::max);
    }

    /** Returns the picture of a timeline. */
    static String svg(Timeline timeline) {
        return new TimelinePlot(timeline).draw();
    }

    private String draw() {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + HEIGHT
                + "\" font-family=\"sans-serif\" font-size=\"12\">");
        add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
        text(LEFT, 24, "start", "An array of three nodes on one host: the demo kills one node and restarts it");
        panel(UPPER_TOP, "operations a second", "#1f6f8b", Timeline.Sample::operations);
        panel(LOWER_TOP, "longest wait, ms", "#b3541e", Timeline.Sample::longestMillis);
        for (int second = 0; second <= seconds; second += seconds > 30 ? 5 : 2) {
            text((int) x(second), LOWER_TOP + PANEL_HEIGHT + 18, "middle", Integer.toString(second));
        }
        text((LEFT + RIGHT) / 2, LOWER_TOP + PANEL_HEIGHT + 38, "middle", "seconds");
        List<Timeline.Event> events = timeline.events();
        for (int i = 0; i < events.size(); i++) {
            event(events.get(i), EVENTS_TOP + EVENT_HEIGHT * (i % EVENT_ROWS));
        }
        return svg.append("</svg>\n").toString();
    }

    private void panel(int top, String title, String colour, ToDoubleFunction<Timeline.Sample> value) {
        double most =
                roundedUp(timeline.samples().stream().mapToDouble(value).max().orElse(1));
        text(8, top - 10, "start", title);
        for (int tick = 0; tick <= TICKS; tick++) {
            double y = y(top, most * tick / TICKS, most);
            line(LEFT, y, RIGHT, y, "#dddddd", "");
            text(LEFT - 8, (int) y + 4, "end", String.format(Locale.ROOT, "%,.0f", most * tick / TICKS));
        }
        StringBuilder points = new StringBuilder();
        timeline.samples()
                .forEach(sample -> points.append(String.format(
                        Locale.ROOT, "%.1f,%.1f ", x(sample.second()), y(top, value.applyAsDouble(sample), most))));
        add("<polyline fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"2\" points=\""
                + points.toString().strip() + "\"/>");
    }

    private void event(Timeline.Event event, int height) {
        double x = x(event.second());
        line(x, height - EVENT_HEIGHT / 2.0, x, LOWER_TOP + PANEL_HEIGHT, "#888888", " stroke-dasharray=\"4 3\"");
        boolean isFarRight = x > (LEFT + RIGHT) * 0.6;
        text((int) x + (isFarRight ? -4 : 4), height, isFarRight ? "end" : "start", event.text());
    }

    private double x(double second) {
        return LEFT + (RIGHT - LEFT) * second / seconds;
    }

    private static double y(int top, double value, double most) {
        return top + PANEL_HEIGHT * (1 - value / most);
    }

    /** Returns the next number of the form 1, 2 or 5 followed by zeros. */
    static double roundedUp(double most) {
        double power = 1;
        while (power * 10 < most) {
            power *= 10;
        }
        for (int factor : new int[] {1, 2, 5}) {
            if (power * factor >= most) {
                return power * factor;
            }
        }
        return power * 10;
    }

    private void line(double x1, double y1, double x2, double y2, String colour, String more) {
        add(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>",
                x1,
                y1,
                x2,
                y2,
                colour,
                more));
    }

    private void text(int x, int y, String anchor, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        add("<text x=\"" + x + "\" y=\"" + y + "\" text-anchor=\"" + anchor + "\">" + escaped + "</text>");
    }

    private void add(String line) {
        svg.append(line).append('\n');
    }
}
