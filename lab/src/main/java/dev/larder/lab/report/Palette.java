package dev.larder.lab.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Colours that stay apart for every kind of colour vision (after Okabe and Ito), in the order of the curves; each with a
 * marker, and from the second time round with a dash of its own.
 */
final class Palette {

    /** On white. */
    static final List<String> LIGHT =
            List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C8C8C", "#B8A900");

    /** On nearly black. */
    static final List<String> DARK =
            List.of("#4FA8E8", "#FF8A3D", "#2FC79A", "#E59AC4", "#F2B93B", "#9AD7FA", "#B0B0B0", "#D6C72E");

    /** Of lanes and shades, on white: none is a curve's. */
    static final List<String> LANES = List.of("#7A4FBF", "#B3261E", "#5B6470", "#3C7A2A");

    /** Of lanes and shades, on nearly black. */
    static final List<String> DARK_LANES = List.of("#B79CF0", "#FF8A80", "#9AA4AF", "#8CCB72");

    private static final List<Marker> MARKERS = List.of(
            SeriesMarkers.CIRCLE,
            SeriesMarkers.SQUARE,
            SeriesMarkers.TRIANGLE_UP,
            SeriesMarkers.DIAMOND,
            SeriesMarkers.TRIANGLE_DOWN);

    private static final float[][] DASHES = {{}, {10, 4}, {3, 3}, {12, 3, 3, 3}};
    private static final float[] BASELINE = {7, 5};

    private Palette() {}

    static Color colour(int index) {
        return Color.decode(LIGHT.get(index % LIGHT.size()));
    }

    /** Bars have neither markers nor dashes: the second time round they are paler, the third time darker. */
    static Color bar(int index) {
        int round = index / LIGHT.size();
        return round == 0 ? colour(index) : mixed(colour(index), round % 2 == 1 ? 255 : 0);
    }

    private static Color mixed(Color colour, int grey) {
        return new Color((colour.getRed() + grey) / 2, (colour.getGreen() + grey) / 2, (colour.getBlue() + grey) / 2);
    }

    static Color lane(int index) {
        return Color.decode(LANES.get(index % LANES.size()));
    }

    static Marker marker(int index) {
        return MARKERS.get(index % MARKERS.size());
    }

    static BasicStroke stroke(int index, Plot.Style style) {
        return style == Plot.Style.BASELINE
                ? stroke(1.6f, BASELINE)
                : stroke(2.4f, DASHES[index / LIGHT.size() % DASHES.length]);
    }

    private static BasicStroke stroke(float width, float[] dash) {
        return dash.length == 0
                ? new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
                : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dash, 0);
    }
}
