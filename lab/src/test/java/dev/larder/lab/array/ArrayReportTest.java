package dev.larder.lab.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.ResultFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArrayReportTest {

    @TempDir
    Path directory;

    private static List<Figures> timeline(int from, int to, double slow) {
        return IntStream.range(0, 40)
                .mapToObj(index -> new Figures()
                        .put("second", index / 4.0)
                        .put("mean_us", 500)
                        .put("p99_us", index >= from && index < to ? slow : 1_000)
                        .put("p999_us", 2_000)
                        .put("max_us", 3_000)
                        .put("answered_per_s", 100))
                .toList();
    }

    private static Figures run(String subject, String loop, @Nullable Long outstanding, double rate) {
        return Figures.parse("""
            {"operation": "all", "requests": 100, "mean_us": 1500, "p99_us": 9000, "p999_us": 20000,
             "max_us": 30000, "cpu_us_per_op": 80, "valid": true, "percentiles": [[50, 1000], [99, 9000]]}
            """)
                .put("subject", subject)
                .put("loop", loop)
                .put("outstanding", outstanding)
                .put("rate_per_s", rate)
                .put("offered_per_s", rate)
                .put("answered_per_s", rate)
                .put("timeline", timeline(0, 0, 0));
    }

    private static Figures scaled(int stripes, long outstanding) {
        return run("array of " + stripes, "closed", outstanding, 100.0 * stripes)
                .put("stripes", stripes)
                .put("resting_threads", 100);
    }

    private static Figures result() {
        List<Figures> runs = new ArrayList<>();
        for (String subject : List.of("array", "redis")) {
            runs.add(run(subject, "closed", 16L, 4_000));
            runs.add(run(subject, "open", null, 1_000));
            runs.add(run(subject, "open", null, 2_000));
        }
        runs.add(run("array", "failover", null, 800).putAll(Figures.parse("""
            {"longest_write_ms": 2870, "killed_second": 2.5, "back_second": 5,
             "pauses": [{"kind": "node 1 is down", "second": 2.5, "ms": 2500}]}
            """)));
        return Figures.parse("""
            {"valid": true, "complete": true, "filled": [{"subject": "array", "value_bytes_a_second": 52428800}],
             "saturation_per_s": {"array": 5000, "redis": 20000}}
            """)
                .put("runs", runs)
                .put("scaling", List.of(scaled(1, 16), scaled(1, 64), scaled(4, 16), scaled(4, 64)));
    }

    @Test
    void showsLoadsAFailoverAndStripes() {
        Report report = new ArrayReport(result()).report();
        assertThat(report.text())
                .containsSubsequence("Load phase", "array", "50 MiB")
                .containsSubsequence("Closed loops", "array", "16", "4 k/s", "redis")
                .containsSubsequence("Open loops", "array", "1 k/s", "80 µs")
                .contains("array saturated at 5 k/s", "redis saturated at 20 k/s")
                .containsSubsequence("A node is killed", "2.87 s")
                .containsSubsequence("Stripes", "1", "100 /s", "4", "400 /s");
        report.write(new ResultFolder(directory));
        List.of(
                        "load-by-rate-array",
                        "array-percentiles-redis",
                        "array-timeline-array",
                        "array-closed-answered",
                        "array-failover",
                        "array-failover-answers",
                        "array-stripes-answered",
                        "array-stripes-cpu")
                .forEach(chart ->
                        assertThat(directory.resolve(chart + ".svg")).content().contains("class=\"curve k0\""));
        assertThat(directory.resolve("array-failover.svg")).content().contains("node 1 is down: 1, longest 2.5 s");
    }

    @Test
    void findsWhenAnArrayIsCalmAgain() {
        List<Figures> timeline = timeline(16, 24, 100_000);
        assertThat(Failover.calmAfterMillis(timeline, 3.75, Double.MAX_VALUE)).isEqualTo(2_250);
        assertThat(Failover.calmAfterMillis(timeline, 6, Double.MAX_VALUE)).isZero();
        assertThat(Failover.calmAfterMillis(timeline, 4, 5.5)).isNaN();
        assertThat(Failover.calmAfterMillis(timeline(16, 40, 100_000), 4, Double.MAX_VALUE))
                .isNaN();
    }

    private static ArrayOptions options(Map<String, List<String>> given) {
        return ArrayExperiment.STUDY.options(given, true);
    }

    @Test
    void refusesWhatCannotBeMeasured() {
        assertThat(options(Map.of()).loads().clients()).isEqualTo(2);
        assertThatThrownBy(() -> options(Map.of("--subjects", List.of("array", "valkey"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--subjects valkey is not one of array, redis");
        assertThatThrownBy(() -> options(Map.of("--outstanding", List.of("16", "3"), "--clients", List.of("4"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--outstanding 3 is less than --clients 4");
        assertThatThrownBy(() -> options(Map.of("--stripes", List.of("2000"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--stripes");
    }
}
