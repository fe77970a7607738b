package dev.larder.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.ResultFolder;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {

    private static final long MIB = 1L << 20;

    @TempDir
    Path directory;

    private Path folder(String name, Figures result) throws IOException {
        Path folder = Directories.create(directory.resolve(name));
        Files.writeString(folder.resolve("result.json"), result.toPrettyJson());
        return folder;
    }

    private static Figures head(String experiment, int processors) {
        return Figures.parse("""
            {"valid": true, "complete": true, "disturbed": false, "seed": 1}
            """)
                .put("experiment", experiment)
                .put("options", new Figures().put("seconds", 10).put("pinned", processors > 2))
                .put("machine", new Figures().put("processors", processors).put("kernel", "6.1"));
    }

    private static Figures loadResult(double slowness, boolean withPercentiles) {
        List<Figures> runs = new ArrayList<>();
        for (int load : new int[] {1000, 2000, 4000}) {
            runs.add(run("Larder", load, 10 * slowness, withPercentiles));
            runs.add(run("ConcurrentHashMap", load, 30 * slowness, withPercentiles));
        }
        return head("heap", 2).put("runs", runs).put("saturation_per_s", new Figures().put("Larder", 5000 / slowness));
    }

    private static Figures run(String subject, int load, double median, boolean withPercentiles) {
        Figures run = Figures.parse("""
            {"collector": "G1", "operation": "get", "requests": 100000, "valid": true}
            """)
                .put("subject", subject)
                .put("offered_per_s", load)
                .put("answered_per_s", load - 1)
                .put("p50_us", median)
                .put("p99_us", 4 * median)
                .put("max_us", 100 * median);
        return withPercentiles
                ? run.put(
                        "percentiles",
                        List.of(
                                List.of(0, median / 2),
                                List.of(50, median),
                                List.of(99, 4 * median),
                                List.of(99.99, 20 * median),
                                List.of(100, 100 * median)))
                : run;
    }

    private static Figures queueResult(int bursts, double slowness) {
        Figures burst = Figures.parse("{\"bytes\": 67108864, \"append\": \"single\"}")
                .put("write_ms", 14 * slowness)
                .put("sync_ms", 30 * slowness)
                .put("read_ms", 9 * slowness);
        Figures summary = new Figures()
                .put("memory_limit_bytes", 256 * MIB)
                .put("below", new Figures().put("write_ms", new Figures().put("mean", 220 * slowness)))
                .put("write_over_copy", 1.2 * slowness);
        return head("queue", 2)
                .put("bursts", Collections.nCopies(bursts, burst))
                .put("summaries", new Figures().put("single", summary));
    }

    private static Figures buffersResult(boolean withSystemV) {
        String last = withSystemV
                ? "\"create_write_ms\": 40.5, \"heap_bytes\": 1000"
                : "\"skipped_reason\": \"shmget is refused here\"";
        Figures result = Figures.parse("""
            {"rows": [
             {"kind": "heap", "block_bytes": 4096, "rounds": 24, "create_write_ms": 40.5, "heap_bytes": 1000},
             {"kind": "direct", "block_bytes": 4096, "rounds": 24, "create_write_ms": 40.5, "heap_bytes": 1000},
             {"kind": "System V shared memory", "block_bytes": 4096, "rounds": 24, LAST}]}
            """.replace("LAST", last));
        return head("buffers", 4).putAll(result);
    }

    private Figures written(Comparison comparison) throws IOException {
        ResultFolder out = new ResultFolder(directory.resolve("out"));
        comparison.write(out);
        try (var files = Files.list(out.directory())) {
            assertThat(files.filter(file -> file.toString().endsWith(".svg")))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file).content().contains("</svg>"));
        }
        return Figures.parse(Files.readString(out.file("comparison.json")));
    }

    private static Figures row(Figures comparison, String figure) {
        return comparison.rows("figures").stream()
                .filter(row -> figure.equals(row.get("figure")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void laysLoadResultsOverOneAnother() throws IOException {
        Comparison comparison =
                Comparison.of(List.of(folder("a", loadResult(1, true)), folder("b", loadResult(2, true))));
        Figures figures = written(comparison);
        assertThat(row(figures, "Larder, G1 get at 2 k/s: p99").get("values")).isEqualTo(List.of(40.0, 80.0));
        assertThat(row(figures, "Larder, G1 get at 2 k/s: p99").get("ratios")).isEqualTo(List.of(2.0));
        String page = Files.readString(directory.resolve("out/report.html"));
        assertThat(page)
                .contains("Response time by percentile: get, 1 k/s offered")
                .contains("Response time by percentile: get, 4 k/s offered")
                .contains("a: Larder, G1")
                .contains("b: ConcurrentHashMap, G1")
                .contains("b: Larder, G1 (saturated at 2.5 k/s)")
                .doesNotContain(directory.toString());
        assertThat(comparison.text()).contains("b / a").contains("2.000");
    }

    @Test
    void matchesLoadsThatDifferByChanceAndTakesTheMiddleOfRepeats() throws IOException {
        List<Figures> runs = new ArrayList<>();
        for (double median : new double[] {50, 10, 30}) {
            runs.add(run("Larder", 1000, median, true).put("offered_per_s", 997 + median / 10));
        }
        Comparison comparison = Comparison.of(List.of(
                folder("a", loadResult(1, true)), folder("b", head("load", 2).put("runs", runs))));
        assertThat(row(comparison.figures(), "Larder, G1 get at 1 k/s: p50").get("values"))
                .isEqualTo(List.of(10.0, 30.0));
        assertThat(comparison.figures().text("missing")).isEqualTo("[]");
    }

    @Test
    void drawsTheHighestLoadsIfNoneIsInAll() throws IOException {
        Figures other = head("load", 2).put("runs", List.of(run("Larder", 9000, 20, true)));
        Comparison comparison = Comparison.of(List.of(folder("a", loadResult(1, true)), folder("b", other)));
        written(comparison);
        assertThat(comparison.text()).contains("the results share no offered load (get)");
        assertThat(Files.readString(directory.resolve("out/report.html"))).contains("the highest load of each");
    }

    @Test
    void takesTheRoundsOfADatabaseForNoLoad() throws IOException {
        Figures row = new Figures()
                .put("store", "SQLite")
                .put("durability", "commit")
                .put("insert_ms", 900)
                .put("insert_ms_min", 850)
                .put("insert_ms_max", 1000);
        Figures result = head("database", 2)
                .put("rows", List.of(row))
                .put("runs", List.of(new Figures().put("store", "SQLite").put("insert_ms", 900)));
        Comparison comparison = Comparison.of(List.of(folder("a", result), folder("b", result)));
        written(comparison);
        assertThat(Files.readString(directory.resolve("out/report.html")))
                .contains("<h2>insert</h2>")
                .doesNotContain("<h2>insert max</h2>")
                .doesNotContain("Response time");
    }

    @Test
    void namesTheFoldersThatLackPercentiles() throws IOException {
        Comparison comparison =
                Comparison.of(List.of(folder("new", loadResult(1, true)), folder("old", loadResult(1, false))));
        assertThat(written(comparison).text("missing")).contains("old has no percentiles in 6 of 6 runs");
        assertThat(comparison.text()).contains("not compared: old has no percentiles");
    }

    @Test
    void comparesBurstsOfDifferentLengthsAndTheirSummaries() throws IOException {
        Comparison comparison =
                Comparison.of(List.of(folder("short", queueResult(4, 1)), folder("long", queueResult(16, 1.5))));
        Figures figures = written(comparison);
        assertThat(row(figures, "single: below write mean").get("ratios")).isEqualTo(List.of(1.5));
        assertThat(Files.readString(directory.resolve("out/report.html"))).contains("Time to sync each burst");
    }

    @Test
    void comparesRowsAndSaysWhatWasSkipped() throws IOException {
        Comparison comparison =
                Comparison.of(List.of(folder("with", buffersResult(true)), folder("without", buffersResult(false))));
        Figures figures = written(comparison);
        assertThat(row(figures, "direct, block 4 KiB: create write").get("ratios"))
                .isEqualTo(List.of(1.0));
        assertThat(figures.text("missing"))
                .contains("without: System V shared memory, block 4 KiB was skipped: shmget is refused here");
    }

    @Test
    void listsWhatDiffersFirst() throws IOException {
        Figures other = loadResult(1, true)
                .put("machine", new Figures().put("processors", 8).put("kernel", "6.1"));
        Comparison comparison = Comparison.of(List.of(folder("a", loadResult(1, true)), folder("b", other)));
        Figures figures = comparison.figures();
        assertThat(figures.rows("differences")).singleElement().satisfies(difference -> {
            assertThat(difference.get("name")).isEqualTo("machine.processors");
            assertThat(difference.get("values")).isEqualTo(List.of("2", "8"));
        });
        written(comparison);
        String page = Files.readString(directory.resolve("out/report.html"));
        assertThat(page.indexOf("machine.processors")).isBetween(0, page.indexOf("Response time"));
    }

    @Test
    void marksWhatIsVoidOrDisturbed() throws IOException {
        Figures invalid = queueResult(4, 1).put("valid", false).put("invalid_reason", "burst 3: too much memory");
        Figures disturbed = queueResult(4, 1).put("disturbed", true);
        Comparison comparison = Comparison.of(
                List.of(folder("good", queueResult(4, 1)), folder("bad", invalid), folder("shaken", disturbed)));
        written(comparison);
        assertThat(Files.readString(directory.resolve("out/report.html")))
                .contains("bad: VOID: burst 3: too much memory")
                .contains("bad (void)")
                .contains("shaken (disturbed)")
                .contains("good: valid");
    }

    @Test
    void tellsFoldersOfTheSameNameApart() throws IOException {
        Path one = folder("monday/result", queueResult(4, 1));
        Path two = folder("friday/result", queueResult(4, 1));
        assertThat(Comparison.of(List.of(one, two)).figures().rows("results"))
                .extracting(result -> result.get("name"))
                .containsExactly("monday/result", "friday/result");
        assertThat(Comparison.of(List.of(one, one)).figures().rows("results"))
                .extracting(result -> result.get("name"))
                .containsExactly("result #1", "result #2");
    }

    @Test
    void refusesWhatHasNothingInCommon() throws IOException {
        List<Path> folders = List.of(folder("queue", queueResult(4, 1)), folder("buffers", buffersResult(true)));
        assertThatThrownBy(() -> Comparison.of(folders))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("queue is of the experiment 'queue' and has bursts")
                .hasMessageContaining("buffers is of the experiment 'buffers' and has rows");
    }

    @Test
    void refusesAFolderWithoutAResult() throws IOException {
        Path good = folder("good", queueResult(4, 1));
        Path empty = Directories.create(directory.resolve("empty"));
        assertThatThrownBy(() -> Comparison.of(List.of(good, empty)))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("empty is not a result folder");
        Files.writeString(empty.resolve("result.json"), "{\"experiment\": ");
        assertThatThrownBy(() -> Comparison.of(List.of(good, empty)))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("cannot read");
        assertThatThrownBy(() -> Comparison.of(List.of(good)))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("two result folders");
    }

    @Test
    void drawsItsPageInABrowser() throws IOException, InterruptedException {
        Comparison.of(List.of(folder("a", loadResult(1, true)), folder("b", loadResult(2, true))))
                .write(new ResultFolder(directory.resolve("out")));
        assertThat(ReportCheck.problems(directory.resolve("out/report.html"), directory))
                .isEmpty();
    }

    private static Figures loop(String loop, int outstanding, double median) {
        return run("array", 1000, median, true)
                .put("loop", loop)
                .put("outstanding", loop.equals("closed") ? outstanding : null);
    }

    @Test
    void tellsLoopsApart() throws IOException {
        Figures one = head("array", 2).put("runs", List.of(loop("closed", 800, 10), loop("open", 0, 20)));
        Figures two = head("array", 2)
                .put(
                        "runs",
                        List.of(
                                loop("closed", 800, 30).put("offered_per_s", 9000),
                                loop("closed", 1500, 50),
                                loop("open", 0, 40)));
        Figures figures = written(Comparison.of(List.of(folder("a", one), folder("b", two))));
        assertThat(row(figures, "array, G1, closed, 800 out get: p50").get("values"))
                .isEqualTo(List.of(10.0, 30.0));
        assertThat(row(figures, "array, G1, open get at 1 k/s: p50").get("values"))
                .isEqualTo(List.of(20.0, 40.0));
    }
}
