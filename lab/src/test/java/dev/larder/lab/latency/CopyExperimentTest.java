package dev.larder.lab.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.RunOptions;
import dev.larder.lab.WholeExperiment;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs a small experiment, with child processes. A busy machine may void its rounds, so no test requires a valid round. */
@Tag(Effort.LONG)
class CopyExperimentTest extends WholeExperiment {

    @Test
    void everyMessageArrivesOverBothConnections() throws IOException, InterruptedException {
        CopyExperiment.Options options =
                new CopyExperiment.Options(64, 5000, 500, Duration.ofMillis(400), Duration.ofMillis(100), 1);
        RunOptions run = new RunOptions(directory.resolve("result"), false, false, false, List.of());
        run(new CopyExperiment(options), run, "of a test");
        Figures result = Figures.parse(Files.readString(directory.resolve("result/result.json")));
        assertThat(result.rows("runs"))
                .extracting(sample -> sample.text("subject"))
                .containsExactly("plain", "tls");
        assertThat(result.rows("runs")).allSatisfy(sample -> {
            assertThat(RowCheck.invalidReason(sample)).isNull();
            assertThat(sample.whole("received")).isEqualTo(250);
            assertThat(sample.whole("requests")).isEqualTo(200);
            assertThat(sample.number("copied_per_s")).isPositive();
            assertThat(sample.number("p99_us")).isPositive();
        });
        assertThat(directory.resolve("result/data")).doesNotExist();
        assertThat(directory.resolve("result/copy-lag.svg")).content().contains("</svg>", ">lag</text>");
        assertThat(ReportCheck.problemsIfInstalled(directory.resolve("result/report.html"), directory))
                .isEmpty();
    }
}
