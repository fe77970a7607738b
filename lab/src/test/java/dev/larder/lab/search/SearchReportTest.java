package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.process.Collector;
import dev.larder.lab.result.ResultFolder;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A result with many configurations, and each page and picture of a full run. */
final class SearchReportTest {

    private static final long GIB = 1L << 30;
    private static final List<Double> RATES = List.of(20.0, 60.0, 100.0, 140.0, 180.0, 200.0);

    @TempDir
    Path directory;

    private static Figures row(SearchCandidate candidate, String operation, double rate, double slowness) {
        double busy = Math.min(0.98, rate / (210 / slowness));
        double mean = 5_000 / (1 - busy);
        List<List<Double>> percentiles = List.of(
                List.of(0.0, 300.0),
                List.of(50.0, mean * 0.7),
                List.of(90.0, mean * 2.3),
                List.of(99.0, mean * 4.6),
                List.of(99.9, mean * 7),
                List.of(100.0, mean * 9));
        return candidate
                .figures()
                .putAll(Figures.parse("""
                    {"common": true, "index_bytes": 3221225472, "requests": 12000, "served_mean_us": 5000,
                     "served_p99_us": 21000, "reopen_p50_ms": 12.5, "reopen_max_ms": 40, "visible_p50_ms": 510,
                     "visible_p99_ms": 1003, "visible_max_ms": 1050, "anonymous_bytes": 1073741824,
                     "shared_memory_bytes": 0, "valid": true, "pauses": [{"kind": "pause", "second": 3.3, "ms": 7}]}
                    """))
                .put("index_cached_bytes", candidate.directory() == SearchDirectory.LARDER ? 0 : 3 * GIB)
                .put("operation", operation)
                .put("rate_per_s", rate)
                .put("answered_per_s", rate)
                .put("p50_us", mean * 0.7)
                .put("p90_us", mean * 2.3)
                .put("p99_us", mean * 4.6)
                .put("p999_us", mean * 7)
                .put("max_us", mean * 9)
                .put("waited_mean_us", mean - 5_000)
                .put("waited_p99_us", mean * 4)
                .put("cpu_cores", busy)
                .put("longest_pause_ms", 7 * slowness)
                .put("saturated", busy > 0.97)
                .put("percentiles", percentiles)
                .put("timeline", timeline(mean));
    }

    private static List<Figures> timeline(double mean) {
        return IntStream.range(0, 60)
                .mapToObj(second -> new Figures()
                        .put("second", second)
                        .put("p50_us", mean)
                        .put("p99_us", mean * 4 + 100 * second)
                        .put("max_us", mean * 9))
                .toList();
    }

    static Figures result() {
        List<Figures> runs = new ArrayList<>();
        List<Figures> openings = new ArrayList<>();
        Figures saturations = new Figures();
        for (Collector collector : List.of(Collector.G1, Collector.ZGC)) {
            for (SearchDirectory subject : SearchDirectory.values()) {
                SearchCandidate candidate = new SearchCandidate(subject, collector, GIB);
                if (subject == SearchDirectory.MMAP_LOCKED) {
                    runs.add(RunRows.notMeasured(
                            candidate.figures(), "skipped_reason", "the process may lock 8388608 bytes"));
                    continue;
                }
                double slowness = subject.onHeap() ? 1.3 : 1;
                RATES.forEach(rate -> List.of("all", "search", "term", "fuzzy2", "update")
                        .forEach(operation -> runs.add(row(candidate, operation, rate, slowness))));
                openings.add(candidate.figures().put("load_ms", 812.5).put("first_query_ms", 21.25));
                saturations.put(candidate.name(), 205 / slowness);
            }
        }
        return Figures.parse("""
            {"valid": true, "complete": true, "options": {"updates_per_s": 100}, "generator_priority": "chrt --rr 1",
             "index": {"documents": 1000000, "bytes": 3221225472},
             "disk_read": {"bytes": 3221225472, "ms": 731.25}}
            """)
                .put("saturation_per_s", saturations)
                .put("openings", openings)
                .put("runs", runs);
    }

    private Figures result;

    @BeforeEach
    void write() {
        result = result();
        new SearchReport(result).report().write(new ResultFolder(directory));
    }

    @Test
    void saysWhatWasMeasuredAndWhatWasNot() throws IOException {
        assertThat(new SearchReport(result).report().text())
                .contains("Searches at 20 /s", "Searches at 140 /s", "LarderDirectory, ZGC", "158 /s")
                .contains("MMapDirectory, locked, G1: skipped, the process may lock 8388608 bytes")
                .endsWith("valid\n");
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains("An index of 1,000,000 documents, 3 GiB", "goes before it (chrt --rr 1)")
                .contains("99 % of the searches, by load, without ByteBuffersDirectory");
    }

    @Test
    void comparesWithTheSameUnderTheSameCollector() {
        Figures at = new SearchSummary(result).figures().part("at").part("140");
        assertThat(at.part("bytebuffers-g1").number("longest_pause_ms_over_mmap"))
                .isEqualTo(1.3);
        assertThat(at.part("larder-zgc").number("p99_us_over_mmap")).isEqualTo(1);
        assertThat(at.part("mmap-g1").has("p99_us_over_mmap")).isFalse();
    }

    @Test
    void isDrawnInABrowser() throws IOException, InterruptedException {
        assertThat(ReportCheck.problems(directory.resolve("report.html"), directory))
                .isEmpty();
    }

    private List<String> problemsWhereValid(Predicate<Figures> valid) throws IOException, InterruptedException {
        result.rows("runs").forEach(row -> row.put("valid", valid.test(row)));
        Path folder = Files.createDirectory(directory.resolve("void"));
        new SearchReport(result).report().write(new ResultFolder(folder));
        return ReportCheck.problems(folder.resolve("report.html"), directory);
    }

    @Test
    void leavesOutThePictureByLoadWhereEveryLoadIsVoid() throws IOException, InterruptedException {
        assertThat(problemsWhereValid(row -> false)).isEmpty();
        assertThat(directory.resolve("void/search-p99-by-load.svg")).doesNotExist();
        assertThat(directory.resolve("void/search-percentiles-search-20.svg")).isNotEmptyFile();
    }

    @Test
    void drawsTheOneLoadThatIsValid() throws IOException, InterruptedException {
        assertThat(problemsWhereValid(row -> row.number("rate_per_s") == 20
                        && row.text("subject").equals("mmap")
                        && row.text("collector").equals("g1")))
                .isEmpty();
        assertThat(directory.resolve("void/search-p99-by-load.svg")).isNotEmptyFile();
        assertThat(directory.resolve("void/search-p99-by-load-rest.svg")).doesNotExist();
    }
}
