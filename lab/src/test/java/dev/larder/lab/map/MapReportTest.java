package dev.larder.lab.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class MapReportTest {

    private static Figures row(String subject, String operation, double overPlain) {
        return Figures.parse("""
            {"shape": "5 M x 100 B", "threads": 1, "answered_per_s": 2500000.0, "p50_us": 0.31, "errors": 0}
            """)
                .put("subject", subject)
                .put("operation", operation)
                .put("time_over_plain", overPlain)
                .put("time_over_plain_min", overPlain - 0.5)
                .put("time_over_plain_max", overPlain + 0.5);
    }

    private static Figures load(String subject) {
        return Figures.parse("""
            {"shape": "5 M x 100 B", "load_per_s": 1000000.0, "heap_bytes": 0, "outside_bytes": 1048576,
             "overhead_bytes_per_entry": 24.5}
            """).put("subject", subject);
    }

    @Test
    void hasARowForEveryOperationAndSubjectAndSaysWhatWasLeftOut() {
        Figures result = new Figures()
                .put("valid", true)
                .put("complete", true)
                .put("rows", List.of(row("larder", "get", 3.25), row("larder", "put", 4), row("log", "put", 2)))
                .put("loads", List.of(load("larder"), load("log")))
                .put(
                        "not_measured",
                        List.of(new Figures().put("subject", "lmdb").put("skipped_reason", "no jars")));
        assertThat(new MapReport(result).report().text())
                .containsSubsequence("5 M x 100 B", "get", "larder", "2.5 M/s", "310 ns", "3.25 (2.75, 3.75)")
                .containsSubsequence("put", "larder", "log", "Loaded: 5 M x 100 B", "1 MiB", "24.5 B")
                .contains("lmdb: skipped, no jars")
                .doesNotContain("safepoints", "written for one", "p99.9")
                .endsWith("valid\n");
    }
}
