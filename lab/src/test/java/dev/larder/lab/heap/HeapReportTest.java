package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.process.Collector;
import dev.larder.lab.result.ResultFolder;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HeapReportTest {

    private static final long GIB = 1L << 30;

    @TempDir
    Path directory;

    private static Figures row(HeapSubject subject, Collector collector, String phase, double pauseMillis) {
        List<List<Double>> percentiles = List.of(
                List.of(0.0, 20.0),
                List.of(90.0, 100.0),
                List.of(99.0, 900.0),
                List.of(100.0, pauseMillis * 1000 + 1000));
        List<Figures> timeline = IntStream.range(0, 10)
                .mapToObj(index -> new Figures()
                        .put("second", index * 0.1)
                        .put("p50_us", 30)
                        .put("p99_us", 300 + index)
                        .put("max_us", 3000))
                .toList();
        return new Candidate(subject, collector, GIB, 2 * GIB, 10)
                .figures()
                .putAll(Figures.parse("""
                    {"operation": "all", "requests": 10000, "offered_per_s": 20000, "answered_per_s": 19999, "p50_us": 30,
                     "p99_us": 900, "p999_us": 1000, "longest_safepoint_ms": 0.01, "gc_count": 3, "cpu_cores": 1.2,
                     "memory_bytes": 2147483648, "valid": true}
                    """))
                .put("phase", phase)
                .put("max_us", pauseMillis * 1000 + 1000)
                .put("longest_pause_ms", pauseMillis)
                .put("longest_stall_ms", collector.tellsStalls() ? 0 : null)
                .put("percentiles", percentiles)
                .put("timeline", timeline)
                .put(
                        "pauses",
                        List.of(
                                Figures.parse("{\"kind\": \"safepoint\", \"second\": 0.25, \"ms\": 0.01}"),
                                new Figures()
                                        .put("kind", "pause")
                                        .put("second", 0.25)
                                        .put("ms", pauseMillis)));
    }

    @BeforeEach
    void report() {
        Figures late = row(HeapSubject.HASH_MAP, Collector.ZGC, "refresh", 0)
                .put("valid", false)
                .put("invalid_reason", "the generator was the bottleneck");
        Figures skipped = RunRows.notMeasured(
                new Candidate(HeapSubject.CAFFEINE, Collector.G1, GIB, 2 * GIB, 10).figures(),
                "skipped_reason",
                "no jars");
        Figures result = Figures.parse("""
            {"valid": true, "complete": true, "generator_priority": "nice -n -10",
             "options": {"value_bytes": 1700, "rate_per_s": 20000.0, "writes_percent": 10.0}}
            """)
                .put(
                        "runs",
                        List.of(
                                row(HeapSubject.HASH_MAP, Collector.G1, "steady", 40),
                                row(HeapSubject.HASH_MAP, Collector.ZGC, "steady", 0),
                                row(HeapSubject.REGION, Collector.G1, "steady", 5),
                                row(HeapSubject.HASH_MAP, Collector.G1, "refresh", 150),
                                late,
                                skipped));
        new HeapReport(result).report().write(new ResultFolder(directory));
        assertThat(new HeapReport(result).report().text())
                .contains("1 GiB of values, steady", "1 GiB of values, refresh", "VOID", "skipped, no jars")
                .endsWith("valid\n");
    }

    @Test
    void isDrawnInABrowser() throws IOException, InterruptedException {
        assertThat(ReportCheck.problems(directory.resolve("report.html"), directory))
                .isEmpty();
    }

    @Test
    void saysWhatCouldNotBeTold() throws IOException {
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains("20,000 requests a second, 10 % of them puts")
                .contains("ConcurrentHashMap, ZGC: the row is void: the generator was the bottleneck.")
                .contains("Caffeine, G1 with 1 GiB of values: skipped, no jars")
                .contains("goes before the target (nice -n -10)");
        assertThat(directory.resolve("heap-timeline-region-g1-1024MiB-steady.svg"))
                .isNotEmptyFile();
    }
}
