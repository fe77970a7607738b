package dev.larder.lab.report;

import dev.larder.lab.result.LabException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** A {@link Chart} as a PNG image; no display is needed. */
public final class ChartImage {

    private ChartImage() {}

    /** Writes {@code NAME.png} into a directory. */
    public static void write(Chart chart, Path directory) {
        System.setProperty("java.awt.headless", "true");
        Path file = directory.resolve(chart.name() + ".png");
        try {
            ImageIO.write(draw(chart), "png", file.toFile());
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    static BufferedImage draw(Chart chart) {
        return switch (chart) {
            case BarChart bars -> BarImage.draw(bars);
            case LineChart lines -> CurveImage.draw(lines.plot());
            case LoadChart load -> CurveImage.draw(load.plot());
            case PercentileChart percentiles -> CurveImage.draw(percentiles.plot());
            case TimelineChart timeline -> CurveImage.draw(timeline.plot());
        };
    }
}
