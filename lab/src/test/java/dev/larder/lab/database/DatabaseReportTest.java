package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.result.ResultFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseReportTest {

    @TempDir
    Path directory;

    private static Figures run(String store, double factor) {
        return Figures.parse("""
            {"variant": "", "durability": "end", "round": 0, "sync_ms": 1, "index_ms": 5, "bytes_on_disk": 1048576,
             "settings": {"sync": "at the end"}}
            """)
                .put("store", store)
                .put("insert_ms", 100 * factor)
                .put("scan_ms", 10 * factor)
                .put("query_ms", 20 * factor)
                .put("mix_50_ms", 30 * factor);
    }

    @Test
    void comparesStoresWithLarder() {
        List<Figures> runs = List.of(run("larder", 1), run("sqlite", 4));
        DatabaseSummary summary = new DatabaseSummary(runs);
        Figures result = Figures.parse("""
            {"valid": true, "complete": false, "skipped": [{"store": "h2", "reason": "no jars"}],
             "options": {"records": 1000, "record_bytes": 1024, "commit_every": 100, "queries": 100,
                         "writes_percent": [50]}}
            """)
                .put("rows", summary.rows())
                .put("summary", summary.figures())
                .put("runs", runs);
        assertThat(new DatabaseReport(result).report().text())
                .containsSubsequence("durable at end", "larder", "100 (100..100 ms)", "10 k/s", "200 µs", "1 MiB")
                .containsSubsequence("as long as Larder", "sqlite", "4.00", "4.00", "3.20")
                .containsSubsequence("mixed", "50 % replaced", "larder", "300 µs", "sqlite", "1.2 ms")
                .contains("skipped h2: no jars")
                .endsWith("valid, not complete\n");
        new DatabaseReport(result).report().write(new ResultFolder(directory));
        Stream.of("insert", "scan", "query")
                .forEach(step -> assertThat(directory.resolve("database-" + step + ".svg"))
                        .content()
                        .contains("<title>sqlite, durable at end: "));
        assertThat(directory.resolve("report.html")).content().contains("Settings of sqlite", "Every round (2)");
    }
}
