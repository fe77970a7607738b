package dev.larder.lab.report;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A {@link Chart} as SVG, the same on a page and in a file: light or dark, as the reader prefers.
 *
 * @param elements without the title
 * @param height in pixels, {@link Frame#WIDTH} wide
 */
public record Drawing(String elements, double height) {

    private static final double TITLE = 30;

    /** Draws a chart. */
    static Drawing of(Chart chart) {
        return switch (chart) {
            case BarChart bars -> BarDrawing.of(bars);
            case Plot plot -> CurveDrawing.of(plot);
        };
    }

    /** Returns the element for a page that has the styles and shows the title. */
    String element(String title) {
        return Svg.format(
                        "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 %.0f %.0f\" aria-label=\"%s\">\n",
                        Frame.WIDTH, height, Svg.escaped(title))
                + elements + "</svg>\n";
    }

    /** Writes {@code NAME.svg} into a directory. */
    public static void write(Chart chart, Path directory) {
        Path file = directory.resolve(chart.name() + ".svg");
        Attempt.to("write " + file, () -> Files.writeString(file, file(chart)));
    }

    private static String file(Chart chart) {
        Drawing drawing = of(chart);
        Svg content = new Svg();
        double top = 8;
        for (String line : Svg.lines(chart.title(), Frame.WIDTH * 13 / 17)) {
            content.text("title", 12, top + TITLE / 2, line);
            top += TITLE - 4;
        }
        content.group(Svg.at(10, top + 8), drawing.elements());
        double height = top + drawing.height() + 20;
        double width = Frame.WIDTH + 20;
        return Svg.format(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"%.0f\" height=\"%.0f\""
                                + " viewBox=\"0 0 %1$.0f %2$.0f\">\n",
                        width, height)
                + "<style>\n" + resource("chart.css")
                + "</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
                + content + "</svg>\n";
    }

    static String resource(String name) {
        return Attempt.giving("read the resource " + name, () -> {
            try (InputStream stream = Drawing.class.getResourceAsStream(name)) {
                if (stream == null) {
                    throw new LabException("the resource " + name + " is missing from this build");
                }
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }
}
