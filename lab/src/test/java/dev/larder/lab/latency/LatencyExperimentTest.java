package dev.larder.lab.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.RunOptions;
import dev.larder.lab.WholeExperiment;
import dev.larder.lab.result.Rows;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs a small experiment, with child processes. On a busy machine a sender may be late, which voids its row. That is no
 * failure of the experiment, so no test requires a valid row.
 */
@Tag(Effort.LONG)
class LatencyExperimentTest extends WholeExperiment {

    /** All rows in the long run; otherwise those that differ in what this test checks. */
    private static final List<String> ROWS = Boolean.getBoolean("larder.soak")
            ? LatencyRow.NAMES
            : List.of("default", "busy-spin", "sync-every-append", "combined");

    private Figures run(List<String> rows) throws IOException {
        LatencyOptions options = LatencyOptionsTest.options(64, 1000, Duration.ofMillis(300), rows);
        RunOptions run = new RunOptions(directory.resolve("result"), false, false, false, List.of());
        run(new LatencyExperiment(options), run, "of a test");
        return Figures.parse(Files.readString(directory.resolve("result/result.json")));
    }

    @Test
    void everyRowHasEveryFigure() throws IOException, InterruptedException {
        Figures result = run(ROWS);
        List<Figures> rows = result.rows("configurations");
        assertThat(rows.stream().map(row -> row.text("name"))).containsExactlyElementsOf(ROWS);
        assertThat(rows).allSatisfy(row -> {
            if (!row.has("skipped_reason")) {
                assertRow(row);
                LatencyExperiment.OPERATIONS.forEach(
                        operation -> assertRun(row, new LatencyReport(result).run(row.text("name"), operation)));
            }
        });
        assertThat(rows.getFirst().has("skipped_reason")).isFalse();
        assertThat(result.part("jvm").whole("heap_max_bytes")).isLessThanOrEqualTo(64 << 20);
        assertText(out.toString(StandardCharsets.UTF_8));
        assertPictures();
        assertThat(directory.resolve("result/data")).doesNotExist();
        assertThat(ReportCheck.problemsIfInstalled(directory.resolve("result/report.html"), directory))
                .isEmpty();
    }

    private static void assertRow(Figures row) {
        String name = row.text("name");
        assertThat(row.whole("messages")).as(name).isEqualTo(name.equals("sync-every-append") ? 15 : 300);
        assertThat(RowCheck.invalidReason(row)).isNull();
        assertThat(row.number("writer_cores")).isPositive();
        assertThat(row.number("tailer_cores")).isNotNegative();
        assertThat(row.part("sender_late").number("max_us")).isPositive();
        if (row.flag("locked")) {
            assertThat(row.whole("locked_bytes")).isPositive();
        }
        if (row.flag("pinned")) {
            assertThat(row.wholeOrNull("writer_processor")).isNotNull();
        }
    }

    private static void assertRun(Figures row, Figures run) {
        assertThat(run.names())
                .containsExactlyElementsOf(
                        Rows.names("subject operation offered_per_s cpu_cores late_sends valid requests"
                                + " mean_us p50_us p90_us p99_us p999_us p9999_us max_us percentiles"));
        assertThat(run.whole("requests")).isEqualTo(row.whole("messages"));
        assertThat(run.number("p50_us")).isPositive().isLessThanOrEqualTo(run.number("max_us"));
        assertThat((List<?>) run.get("percentiles")).isNotEmpty();
    }

    private static void assertText(String text) {
        assertThat(text)
                .contains("Append to tailer, from the moment the append was due")
                .contains("sync-every-append: at 50 /s");
        if (Runtime.getRuntime().availableProcessors() < 3) {
            assertThat(text).containsPattern("busy-spin( \\(void\\))? \\*").contains("wants more processors than the");
        }
    }

    private void assertPictures() throws IOException {
        Path folder = directory.resolve("result");
        for (String plot : List.of(
                "append-waits", "tailer-waits", "append-memory", "tailer-memory", "append-disk", "tailer-disk")) {
            Path file = folder.resolve("latency-" + plot + ".svg");
            assertThat(file).as(plot).content().contains("</svg>");
        }
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("Append to tailer, by how the tailer waits")
                .doesNotContain("src=");
    }
}
