package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Browser;
import dev.larder.tests.support.BrowserPage;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as Chromium draws it. Each check is shown to catch what it is for. */
class ReportInBrowserTest {

    @TempDir
    static Path profile;

    @TempDir
    Path directory;

    private static Browser browser;

    @BeforeAll
    static void startBrowser() throws IOException, InterruptedException {
        browser = Browser.start(profile);
    }

    @AfterAll
    static void endBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    private static String html(List<Chart> charts) {
        ReportPage page = new ReportPage("A <script>title</script> & more", "lead");
        charts.forEach(page::chart);
        return page.html();
    }

    private BrowserPage open(String html) throws IOException {
        Path file = directory.resolve("report.html");
        Files.writeString(file, html);
        return browser.open(file);
    }

    @Test
    void drawsEveryKindLightAndDark() throws IOException {
        List<Chart> charts = Stream.concat(ChartExamples.common().stream(), ChartExamples.hard().stream())
                .toList();
        BrowserPage page = open(html(charts));
        assertThat(page.problems()).isEmpty();
        assertThat(page.charts()).isEqualTo(charts.size());
        String light = page.evaluate("getComputedStyle(document.body).backgroundColor");
        page.prefer("dark");
        assertThat(page.problems()).isEmpty();
        assertThat(page.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isNotEqualTo(light);
        assertThat(page.evaluate("document.documentElement.dataset.problems")).isEqualTo("0");
    }

    @Test
    void saysWhichChartsAreEmptyAndDrawsTheirFrames() throws IOException {
        List<Chart> charts = ChartExamples.empty();
        BrowserPage page = open(html(charts));
        assertThat(page.problems())
                .isEqualTo(IntStream.range(0, charts.size())
                        .mapToObj(index -> "nothing is drawn in chart-" + index)
                        .toList());
        assertThat(page.evaluate("document.querySelectorAll('.chart canvas').length"))
                .isEqualTo(String.valueOf(charts.size()));
    }

    @Test
    void keepsTextAsText() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.longNames())));
        assertThat(page.evaluate("document.querySelector('h1').textContent"))
                .isEqualTo("A <script>title</script> & more");
        assertThat(page.evaluate("document.querySelector('.u-legend').textContent"))
                .contains("a subject whose <name> & settings");
    }

    @Test
    void showsTheValuesUnderThePointer() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.percentiles(), ChartExamples.buffers())));
        page.evaluate("plots.forEach(plot => plot.setCursor({ left: 40, top: 20 }))");
        assertThat(page.evaluate("document.querySelectorAll('.u-legend')[0].textContent"))
                .contains("percentile")
                .contains(" %")
                .contains("µs");
        assertThat(page.evaluate("document.querySelectorAll('.u-legend')[1].textContent"))
                .contains("heap")
                .containsPattern("[0-9.]+ ms \\([0-9.]+ ms to [0-9.]+ ms\\)");
    }

    @Test
    void writesValuesAsTheImagesDo() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines())));
        for (Unit unit : Unit.values()) {
            for (double value :
                    new double[] {0, 0.001234, 0.5, 1, 9.996, 12.345, 999.9, 1000, 1023, 1024, 123456, 5e9}) {
                assertThat(page.evaluate("text('" + unit + "', " + value + ")"))
                        .as(unit + " " + value)
                        .isEqualTo(unit.text(value));
            }
        }
    }

    @Test
    void setsTicksAsTheImagesDo() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines())));
        for (Range range : List.of(new Range(0, 1.3), new Range(0.5, 4.2), new Range(0, 7), new Range(1, 14))) {
            for (Axis axis : List.of(
                    Axis.plain("x"),
                    Axis.of("x", Unit.BYTES),
                    Axis.of("x", Unit.PER_SECOND),
                    new Axis("x", Unit.BYTES, Scale.LOGARITHMIC),
                    Axis.responseTime(),
                    Axis.nines())) {
                String described = "{unit: '" + axis.unit() + "', scale: '" + axis.scale() + "'}";
                String ticks = "ticks(" + described + ", " + range.low() + ", " + range.high() + ", 9)";
                assertThat(page.evaluate("tickLabels(" + described + ", " + ticks + ").join('|')"))
                        .as(axis + " " + range)
                        .isEqualTo(String.join(
                                "|",
                                axis.ticks(range, 9).stream()
                                        .map(Axis.Tick::label)
                                        .toList()));
            }
        }
    }

    @Test
    void catchesAnError() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines()))
                .replace("</body>", "<script>throw new Error('deliberate')</script></body>"));
        assertThat(page.problems()).singleElement().asString().contains("deliberate");
        assertThat(page.evaluate("document.getElementById('problems').textContent"))
                .contains("deliberate");
    }

    @Test
    void catchesAMessageOnTheConsole() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines()))
                .replace("</body>", "<script>console.error('deliberate')</script></body>"));
        assertThat(page.problems()).singleElement().asString().contains("deliberate");
    }

    @Test
    void catchesARequestThatThePolicyRefuses() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines()))
                .replace("</body>", "<img src=\"http://127.0.0.1:9/x.png\"></body>"));
        assertThat(page.problems()).isNotEmpty().allMatch(problem -> problem.contains("127.0.0.1:9"));
        assertThat(page.evaluate("document.getElementById('problems').textContent"))
                .contains("was refused");
    }

    @Test
    void catchesARequestWhereThereIsNoPolicy() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines()))
                .replace("Content-Security-Policy", "Nothing")
                .replace("</body>", "<img src=\"http://127.0.0.1:9/x.png\"></body>"));
        assertThat(page.problems()).contains("request: http://127.0.0.1:9/x.png");
    }

    @Test
    void catchesAChartThatIsNotDrawn() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines(), ChartExamples.buffers()))
                .replace("chart.groups ? drawBars(chart, place)", "chart.groups ? { destroy() {} }"));
        assertThat(page.problems()).containsExactly("nothing is drawn in chart-1");
    }

    @Test
    void catchesAReportWithoutCharts() throws IOException, InterruptedException {
        Path file = directory.resolve("report.html");
        Files.writeString(file, html(List.of()));
        assertThat(ReportCheck.problems(file, directory)).containsExactly("there is no chart");
    }
}
