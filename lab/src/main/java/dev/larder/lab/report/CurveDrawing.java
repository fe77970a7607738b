package dev.larder.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A {@link Plot} as SVG. */
final class CurveDrawing {

    private static final double HEIGHT = 380;
    private static final int MOST_LEFT_TICKS = 10;
    private static final int MOST_BOTTOM_TICKS = 9;
    private static final double LANE = 14;
    private static final int MOST_MARKERS = 40;
    private static final int COLOURS = 8;
    private static final int LANE_COLOURS = 4;

    /** Distinguish curves where colours do not. */
    private static final List<String> MARKERS = List.of(
            "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
            "M-3.6-3.6h7.2v7.2h-7.2z",
            "M0-4.8L4.6 3.8H-4.6z",
            "M0-5L5 0L0 5L-5 0z",
            "M0 4.8L4.6-3.8H-4.6z");

    private static final List<String> DASHES =
            List.of("", " stroke-dasharray=\"10 4\"", " stroke-dasharray=\"3 3\"", " stroke-dasharray=\"12 3 3 3\"");

    private final Plot plot;
    private final Range across;
    private final Range upright;
    private final Frame frame;

    private CurveDrawing(Plot plot) {
        this.plot = plot;
        across = plot.xRange();
        upright = plot.yRange();
        List<Axis.Tick> ticks = plot.y().ticks(upright, MOST_LEFT_TICKS);
        List<String> labels = ticks.stream().map(Axis.Tick::label).toList();
        frame = new Frame(plot.y().label(), Svg.widest(labels) + 10, HEIGHT);
        frame.leftTicks(ticks, upright);
    }

    static Drawing of(Plot plot) {
        return new CurveDrawing(plot).draw();
    }

    static String colour(int index) {
        return "k" + index % COLOURS;
    }

    static String marker(int index) {
        return MARKERS.get(index % MARKERS.size());
    }

    private static String lane(int index) {
        return "l" + index % LANE_COLOURS;
    }

    private Drawing draw() {
        double lanes = plot.lanes().isEmpty() ? 0 : plot.lanes().size() * LANE + 4;
        frame.bottomTicks(
                plot.x().ticks(across, MOST_BOTTOM_TICKS), across, plot.x().label(), lanes);
        IntStream.range(0, plot.lanes().size()).forEach(this::drawLane);
        plot.marks().forEach(mark -> drawMark(mark.x(), "", mark.text()));
        IntStream.range(0, plot.curves().size()).forEach(this::drawCurve);
        return frame.end(lanes + 2 * Svg.LINE + 12, plot.isEmpty(), legend());
    }

    private double x(double value) {
        return frame.x(across, plot.x().scale().position(value));
    }

    /** Returns a height: the lower edge if it has none. */
    private double y(double value) {
        return frame.y(upright, plot.y().scale().position(value));
    }

    private void drawCurve(int index) {
        Plot.Curve curve = plot.curves().get(index);
        if (Double.isFinite(curve.limit())) {
            drawMark(curve.limit(), " " + colour(index), "");
        }
        StringBuilder path = new StringBuilder();
        boolean isGap = true;
        for (int point = 0; point < curve.y().size(); point++) {
            double value = curve.y().get(point);
            if (Double.isFinite(value)) {
                path.append(
                        Svg.format("%s%.1f %.1f", isGap ? "M" : "L", x(curve.x().get(point)), y(value)));
            }
            isGap = !Double.isFinite(value);
        }
        frame.content.path(classes(curve, index), dash(index), path.toString(), curve.name());
        for (int point : marked(curve)) {
            double across = curve.x().get(point);
            double value = curve.y().get(point);
            frame.content.path(
                    "fill " + colour(index),
                    Svg.at(x(across), y(value)),
                    marker(index),
                    curve.name() + ": " + plot.y().text(value) + " at "
                            + plot.x().text(across));
        }
    }

    private static String classes(Plot.Curve curve, int index) {
        return (curve.isBaseline() ? "baseline " : "curve ") + colour(index);
    }

    private static String dash(int index) {
        return DASHES.get(index / COLOURS % DASHES.size());
    }

    /** Returns which points get a marker: all of a short curve, some of a long one, and the last; none of a baseline. */
    private static int[] marked(Plot.Curve curve) {
        int[] finite = IntStream.range(0, curve.y().size())
                .filter(point -> Double.isFinite(curve.y().get(point)))
                .toArray();
        int every = (finite.length + MOST_MARKERS - 1) / MOST_MARKERS;
        return curve.isBaseline() && finite.length > 1
                ? new int[0]
                : IntStream.range(0, finite.length)
                        .filter(point -> point % every == 0 || point == finite.length - 1)
                        .map(point -> finite[point])
                        .toArray();
    }

    private void drawMark(double at, String colour, String text) {
        double x = x(at);
        frame.svg.line("limit" + colour, x, frame.top, x, frame.bottom()).text("", x + 5, frame.top + 12, text);
    }

    private void drawLane(int index) {
        Plot.Lane lane = plot.lanes().get(index);
        double top = frame.bottom() + 3 + index * LANE;
        frame.svg.path("fill " + lane(index), "", boxes(lane.spans(), top, LANE - 4), "");
        frame.svg.path("shade " + lane(index), "", boxes(lane.longest(), frame.top, frame.height), "");
    }

    private String boxes(List<Plot.Span> spans, double top, double height) {
        StringBuilder boxes = new StringBuilder();
        for (Plot.Span span : spans) {
            boxes.append(Svg.box(x(span.from()), top, Math.max(1.2, x(span.to()) - x(span.from())), height));
        }
        return boxes.toString();
    }

    private List<Frame.Entry> legend() {
        List<Frame.Entry> entries = new ArrayList<>();
        for (int index = 0; index < plot.curves().size(); index++) {
            entries.add(entry(plot.curves().get(index), index));
        }
        for (int index = 0; index < plot.lanes().size(); index++) {
            entries.add(Frame.Entry.box(plot.lanes().get(index).name(), "fill " + lane(index), ""));
        }
        return entries;
    }

    private static Frame.Entry entry(Plot.Curve curve, int index) {
        Svg sample = new Svg().path(classes(curve, index), dash(index), "M0 0H30", "");
        if (!curve.isBaseline()) {
            sample.path("fill " + colour(index), Svg.at(15, 0), marker(index), "");
        }
        return new Frame.Entry(curve.name(), sample);
    }
}
