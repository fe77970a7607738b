package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ImageLegendTest {

    private static final int ROOM = 600;

    private static BufferedImage drawn(List<String> names) {
        ImageLegend legend = new ImageLegend(
                names.stream()
                        .map(name -> new ImageLegend.Entry(name, (pen, left, right, middle) -> {}))
                        .toList(),
                ROOM);
        BufferedImage image = new BufferedImage(2 * ROOM, (int) legend.height() + 200, BufferedImage.TYPE_INT_RGB);
        legend.draw(image.createGraphics(), 0, 0);
        return image;
    }

    /** Whether something is drawn in the rectangle from a corner on. */
    private static boolean isInkBeyond(BufferedImage image, int fromX, int fromY) {
        return IntStream.range(fromX, image.getWidth())
                .anyMatch(x -> IntStream.range(fromY, image.getHeight())
                        .anyMatch(y -> image.getRGB(x, y) != Color.BLACK.getRGB()));
    }

    @Test
    void wrapsManyNamesIntoRows() {
        List<String> names = IntStream.range(0, 20)
                .mapToObj(index -> "configuration " + index)
                .toList();
        BufferedImage image = drawn(names);
        assertThat(isInkBeyond(image, 0, 0)).isTrue();
        assertThat(isInkBeyond(image, ROOM, 0)).isFalse();
        assertThat(isInkBeyond(image, 0, image.getHeight() - 200)).isFalse();
    }

    @Test
    void continuesALongNameInTheNextLine() {
        String name = "a name that goes on and on, ".repeat(12) + "withoutAnySpaceAtAll".repeat(20);
        BufferedImage image = drawn(List.of("short", name, "after it"));
        assertThat(isInkBeyond(image, ROOM, 0)).isFalse();
        assertThat(isInkBeyond(image, 0, image.getHeight() - 200)).isFalse();
    }
}
