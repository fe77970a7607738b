package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChartImageTest {

    @TempDir
    Path directory;

    static Stream<Chart> charts() {
        return Stream.concat(ChartExamples.common().stream(), ChartExamples.hard().stream());
    }

    static Stream<Chart> empty() {
        return ChartExamples.empty().stream();
    }

    private static int series(Chart chart) {
        return switch (chart) {
            case BarChart bars -> bars.groups().size();
            case LineChart lines -> lines.lines().size();
            case LoadChart load -> load.curves().size();
            case PercentileChart percentiles -> percentiles.curves().size();
            case TimelineChart timeline -> timeline.lines().size();
        };
    }

    private static Set<Integer> colours(BufferedImage image) {
        Set<Integer> colours = new HashSet<>();
        IntStream.range(0, image.getHeight())
                .forEach(y -> IntStream.range(0, image.getWidth()).forEach(x -> colours.add(image.getRGB(x, y))));
        return colours;
    }

    /** Without the legend, whose samples have the same colours as the plot: four rows at most. */
    private static BufferedImage withoutLegend(BufferedImage image) {
        int legend = (int) ImagePaper.MARGIN + 14 + 4 * (ImageText.LINE + 4);
        return image.getSubimage(0, 0, image.getWidth(), image.getHeight() - legend);
    }

    @ParameterizedTest
    @MethodSource("charts")
    void drawsEverySeriesInItsColour(Chart chart) {
        Set<Integer> colours = colours(withoutLegend(ChartImage.draw(chart)));
        List<Integer> expected = new ArrayList<>();
        for (int index = 0; index < Math.min(series(chart), Palette.LIGHT.size()); index++) {
            expected.add(Palette.colour(index).getRGB());
        }
        assertThat(colours).containsAll(expected);
    }

    @ParameterizedTest
    @MethodSource("charts")
    void leavesTheMarginsFree(Chart chart) {
        BufferedImage image = ChartImage.draw(chart);
        for (int edge = 0; edge < 6; edge++) {
            int inset = edge;
            assertThat(IntStream.range(0, image.getHeight()))
                    .allMatch(y -> image.getRGB(image.getWidth() - 1 - inset, y) == 0xFFFFFFFF)
                    .allMatch(y -> image.getRGB(inset, y) == 0xFFFFFFFF);
            assertThat(IntStream.range(0, image.getWidth()))
                    .allMatch(x -> image.getRGB(x, image.getHeight() - 1 - inset) == 0xFFFFFFFF);
        }
    }

    @ParameterizedTest
    @MethodSource("empty")
    void saysThatThereIsNoData(Chart chart) throws IOException {
        ChartImage.write(chart, directory);
        BufferedImage image =
                ImageIO.read(directory.resolve(chart.name() + ".png").toFile());
        assertThat(colours(image)).hasSizeGreaterThan(5);
        assertThat(colours(withoutLegend(image)))
                .doesNotContain(Palette.colour(0).getRGB());
    }

    /** Frame and content have one geometry: the level 100 of an axis that ends at 105. */
    @Test
    void drawsPointsWhereTheAxesSay() {
        Chart chart = new LineChart(
                "middle",
                "Middle",
                Axis.plain("x"),
                Axis.plain("y"),
                List.of(0.0, 100.0),
                List.of(new LineChart.Line("level", List.of(100.0, 100.0))));
        BufferedImage image = ChartImage.draw(chart);
        int top = (int) ImagePaper.MARGIN + ImageText.TITLE_LINE + 8 + ImageText.LINE + 6;
        double expected = top + CurveImage.HEIGHT * (1 - 100 / 105.0);
        int[] rows = IntStream.range(top, top + (int) CurveImage.HEIGHT)
                .filter(y -> IntStream.range(600, 620)
                        .anyMatch(x -> image.getRGB(x, y) == Palette.colour(0).getRGB()))
                .toArray();
        assertThat(rows).isNotEmpty();
        assertThat(Arrays.stream(rows)).allMatch(row -> Math.abs(row + 0.5 - expected) < 2);
    }

    @Test
    void refusesGroupsThatDoNotFitTheirCategories() {
        List<BarChart.Group> groups = List.of(BarChart.Group.of("short", List.of(1.0)));
        assertThatThrownBy(() -> new BarChart("n", "title", Axis.plain("x"), List.of("a", "b"), groups))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'title'")
                .hasMessageContaining("2 categories")
                .hasMessageContaining("short");
    }

    @Test
    void refusesLinesThatDoNotFitTheirPlaces() {
        List<LineChart.Line> lines = List.of(new LineChart.Line("short", List.of(1.0)));
        assertThatThrownBy(() -> new LineChart("n", "title", "x", "y", List.of(1.0, 2.0), lines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'title'")
                .hasMessageContaining("short");
    }

    @Test
    void refusesStacksOnALogarithmicAxis() {
        BarChart chart = ChartExamples.buffers();
        assertThatThrownBy(chart::asStacked)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("linear");
    }
}
