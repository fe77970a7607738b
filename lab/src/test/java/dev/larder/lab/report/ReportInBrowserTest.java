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

/** The page as Chromium draws it. A control for each check shows that it catches its fault. */
class ReportInBrowserTest {

    /** Lists texts that stick out of their drawing; drawings scale, so wide and narrow windows give the same list. */
    private static final String OUTSIDE = """
        [...document.querySelectorAll(".chart svg")].flatMap(svg => {
            const room = svg.getBoundingClientRect();
            return [...svg.querySelectorAll("text")].filter(text => {
                const box = text.getBoundingClientRect();
                return box.left < room.left - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1;
            }).map(text => text.textContent);
        }).join("|")\
        """;

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
        assertThat(page.evaluate(OUTSIDE)).isEmpty();
    }

    @Test
    void saysWhichChartsAreEmptyAndDrawsTheirFrames() throws IOException {
        List<Chart> charts = ChartExamples.empty();
        BrowserPage page = open(html(charts));
        assertThat(page.problems())
                .isEqualTo(IntStream.range(0, charts.size())
                        .mapToObj(index -> "nothing is drawn in chart-" + index)
                        .toList());
        assertThat(page.evaluate("document.querySelectorAll('.chart svg').length"))
                .isEqualTo(String.valueOf(charts.size()));
    }

    @Test
    void keepsTextAsText() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.longNames())));
        assertThat(page.evaluate("document.querySelector('h1').textContent"))
                .isEqualTo("A <script>title</script> & more");
        assertThat(page.evaluate("document.querySelector('.plot').textContent"))
                .contains("a subject whose <name> & set");
    }

    @Test
    void catchesAnError() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines()))
                .replace("Content-Security-Policy", "Nothing")
                .replace("</body>", "<script>throw new Error('deliberate')</script></body>"));
        assertThat(page.problems()).singleElement().asString().contains("deliberate");
    }

    @Test
    void catchesAMessageOnTheConsole() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines()))
                .replace("Content-Security-Policy", "Nothing")
                .replace("</body>", "<script>console.error('deliberate')</script></body>"));
        assertThat(page.problems()).singleElement().asString().contains("deliberate");
    }

    @Test
    void catchesARequestThatThePolicyRefuses() throws IOException {
        BrowserPage page = open(html(List.of(ChartExamples.lines()))
                .replace("</body>", "<img src=\"http://127.0.0.1:9/x.png\"></body>"));
        assertThat(page.problems()).isNotEmpty().allMatch(problem -> problem.contains("127.0.0.1:9"));
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
                .replaceFirst("(?s)(id=\"chart-1\">).*</svg>", "$1"));
        assertThat(page.problems()).containsExactly("nothing is drawn in chart-1");
    }

    @Test
    void catchesAReportWithoutCharts() throws IOException, InterruptedException {
        Path file = directory.resolve("report.html");
        Files.writeString(file, html(List.of()));
        assertThat(ReportCheck.problems(file, directory)).containsExactly("there is no chart");
    }
}
