package dev.larder.lab.report;

import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.List;

/** The names of an image's curves or bars, in rows as long as the image is wide; a long name goes on in the next line. */
final class ImageLegend {

    private static final double SAMPLE = 44;
    private static final double GAP = 10;
    private static final double BETWEEN = 34;

    /** Draws what a name stands for, {@code SAMPLE} wide, from a left end at a middle height. */
    interface Sample {
        void draw(Graphics2D paper, double left, double right, double middle);
    }

    record Entry(String name, Sample sample) {}

    private record Place(Entry entry, List<String> lines, double x, double y) {}

    private final List<Place> places = new ArrayList<>();
    private double height;

    ImageLegend(List<Entry> entries, double room) {
        double x = 0;
        double y = 0;
        for (Entry entry : entries) {
            List<String> lines = ImageText.lines(entry.name(), ImageText.FONT, room - SAMPLE - GAP);
            double width = SAMPLE + GAP + ImageText.widest(lines);
            if (x + width > room) {
                x = 0;
                y = height;
            }
            places.add(new Place(entry, lines, x, y));
            height = Math.max(height, y + lines.size() * ImageText.LINE + 4);
            x += width + BETWEEN;
        }
    }

    double height() {
        return height;
    }

    void draw(Graphics2D paper, double left, double top) {
        for (Place place : places) {
            double middle = top + place.y() + ImageText.LINE / 2.0;
            place.entry().sample().draw(paper, left + place.x(), left + place.x() + SAMPLE, middle);
            paper.setColor(ImageText.INK);
            paper.setFont(ImageText.FONT);
            double last = middle + (place.lines().size() - 1) * ImageText.LINE;
            ImageText.drawAround(paper, place.lines(), left + place.x() + SAMPLE + GAP, (middle + last) / 2, 0);
        }
    }
}
