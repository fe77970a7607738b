package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class DrawingTest {

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
            case Plot plot -> plot.curves().size();
        };
    }

    /** Returns a chart without its legend, whose samples have the same classes. */
    private static String content(Chart chart) {
        String drawing = Drawing.of(chart).elements();
        int from = drawing.indexOf("<g class=\"content\">");
        return drawing.substring(from, drawing.indexOf("</g>", from));
    }

    @ParameterizedTest
    @MethodSource("charts")
    void drawsEverySeriesInItsColour(Chart chart) {
        String content = content(chart);
        for (int index = 0; index < Math.min(series(chart), 8); index++) {
            assertThat(content).containsPattern("class=\"[a-z ]+ k" + index + "\"[^>]* d=\"M");
        }
    }

    @ParameterizedTest
    @MethodSource("charts")
    void isXmlWithEveryNumberFinite(Chart chart) throws Exception {
        String element = Drawing.of(chart).element("a <title> & more");
        Document document = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(element)));
        assertThat(document.getDocumentElement().getAttribute("aria-label")).isEqualTo("a <title> & more");
        assertThat(element).doesNotContain("NaN").doesNotContain("Infinity");
    }

    @ParameterizedTest
    @MethodSource("empty")
    void saysThatThereIsNoData(Chart chart) {
        Drawing.write(chart, directory);
        assertThat(directory.resolve(chart.name() + ".svg"))
                .content()
                .contains(">no data<")
                .contains(">" + chart.title() + "<")
                .contains("prefers-color-scheme: dark");
        assertThat(content(chart)).doesNotContain(" d=\"M");
    }

    /** Frame and content have one geometry; the test uses the level 100 of an axis that ends at 105. */
    @Test
    void drawsPointsWhereTheAxesSay() {
        Chart chart = new Plot(
                "middle",
                "Middle",
                Axis.plain("x"),
                Axis.plain("y"),
                List.of(new Plot.Curve("level", List.of(0.0, 100.0), List.of(100.0, 100.0))));
        String drawing = Drawing.of(chart).elements();
        Matcher tick = Pattern.compile("y=\"([0-9.]+)\">100<").matcher(drawing);
        Matcher curve = Pattern.compile("class=\"curve k0\" d=\"M[0-9.]+ ([0-9.]+)L[0-9.]+ ([0-9.]+)\"")
                .matcher(drawing);
        assertThat(tick.find() && curve.find()).isTrue();
        assertThat(List.of(curve.group(1), curve.group(2))).containsOnly(tick.group(1));
    }

    @Test
    void showsValuesUnderThePointer() {
        assertThat(content(ChartExamples.buffers()))
                .containsPattern("<title>heap, blocks of 4 KiB: [0-9.]+ ms \\([0-9.]+ ms to [0-9.]+ ms\\)</title>");
        assertThat(content(ChartExamples.percentiles())).containsPattern("<title>Larder, ZGC: [0-9.]+ µs at [0-9.]+ %");
    }

    @Test
    void goesOnWithALongNameInTheNextLine() {
        String name = "a name that goes on and on, ".repeat(8) + "withoutAnySpaceAtAll".repeat(5);
        List<String> lines = Svg.lines(name, 400);
        assertThat(lines).hasSizeGreaterThan(4).allMatch(line -> Svg.width(line) <= 400);
        assertThat(String.join("", lines).replace(" ", "")).isEqualTo(name.replace(" ", ""));
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
        assertThatThrownBy(() -> new Plot.Curve("short", List.of(1.0, 2.0), List.of(1.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'short'")
                .hasMessageContaining("2 places");
    }

    private static BarChart bars(double... values) {
        return new BarChart(
                "bars",
                "Bars",
                Axis.plain("x"),
                DoubleStream.of(values).mapToObj(String::valueOf).toList(),
                List.of(BarChart.Group.of(
                        "group", DoubleStream.of(values).boxed().toList())));
    }

    private static List<Double> lengths(BarChart chart) {
        return Pattern.compile("d=\"M[0-9.]+ [0-9.]+h([0-9.]+)v")
                .matcher(content(chart))
                .results()
                .map(result -> Double.valueOf(result.group(1)))
                .toList();
    }

    @Test
    void drawsBarsAsLongAsTheirValues() {
        List<Double> lengths = lengths(bars(10, 20, 40));
        assertThat(lengths).hasSize(3);
        assertThat(lengths.get(1)).isCloseTo(2 * lengths.get(0), within(0.2));
        assertThat(lengths.get(2)).isCloseTo(4 * lengths.get(0), within(0.4));
    }

    @Test
    void drawsPointsWhereBarsHaveNoZeroToBeginAt() {
        BarChart chart = ChartExamples.buffers();
        assertThat(chart.hasZero()).isFalse();
        assertThat(lengths(chart)).isEmpty();
        assertThat(content(chart)).contains("<title>heap, blocks of 4 KiB");
    }

    @Test
    void drawsPointsWhereOneValueIsManyTimesAnother() {
        assertThat(bars(1, 40).asPointsWhereWide().hasZero()).isTrue();
        assertThat(bars(0, Double.NaN).asPointsWhereWide().hasZero()).isTrue();
        assertThat(bars(0, 1, 60).asPointsWhereWide().hasZero()).isFalse();
    }

    @Test
    void refusesStacksOnALogarithmicAxis() {
        BarChart chart = ChartExamples.buffers();
        assertThatThrownBy(chart::asStacked)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("linear");
    }
}
