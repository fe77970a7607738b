package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.lab.LabRun;
import dev.larder.lab.WholeExperiment;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.result.LabException;
import dev.larder.lab.study.Settings;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the whole experiment, including processes, with a small index that all tests share. */
final class SearchExperimentTest extends WholeExperiment {

    @TempDir
    static Path shared;

    private static SearchOptions options(String arguments) {
        return SearchOptionsTest.options(shared.resolve("index"), arguments.split(" ", -1));
    }

    private static SearchExperiment experiment(String arguments) {
        return new SearchExperiment(options(arguments));
    }

    private static void assumeSoak() {
        assumeTrue(Boolean.getBoolean("larder.soak"), "takes long: in the long run (-Psoak) only");
    }

    @Test
    @Tag(Effort.LONG)
    void leavesTheRowsOfEachConfigurationAndLoad() throws IOException, InterruptedException {
        int code = run(experiment("--subjects mmap,bytebuffers,larder --updates 50 --rates 40"));
        Figures result = result();
        assertJudged(code, result, "the generator was the bottleneck");
        assertThat(result.part("index").whole("documents")).isEqualTo(2_000);
        assertThat(result.part("disk_read").whole("bytes"))
                .isEqualTo(result.part("index").whole("bytes"));
        assertThat(result.part("disk_read").number("ms")).isPositive();
        assertThat(result.rows("openings")).hasSize(3).allSatisfy(opening -> {
            assertThat(opening.number("first_query_ms")).isPositive();
            assertThat(opening.number("load_ms")).isGreaterThanOrEqualTo(opening.number("first_query_ms"));
        });
        assertThat(result.rows("runs")).allSatisfy(row -> {
            assertThat(row.names()).contains("percentiles", "index_cached_bytes");
            assertThat(row.whole("errors")).isZero();
        });
        assertThat(rows(result, "search")).hasSize(3).allSatisfy(SearchExperimentTest::assertSearches);
        assertThat(rows(result, "update")).hasSize(3).allSatisfy(SearchExperimentTest::assertUpdates);
        assertThat(rows(result, "fuzzy2")).hasSize(3);
        assertThat(rows(result, "all"))
                .allSatisfy(row -> assertThat(row.rows("timeline")).isNotEmpty());
        assertLeft(result);
    }

    /** The other host is this host, reached by a command. */
    @Test
    @Tag(Effort.LONG)
    void requestsOfAnotherHostLeaveTheSameRows() throws IOException {
        Path play = directory.resolve("play");
        String there = String.join(" ", JavaProcess.command(64L << 20, Larder.class)) + " lab play --directory " + play;
        SearchOptions options = SearchOptionsTest.options(
                shared.resolve("index"),
                "--subjects",
                "mmap",
                "--updates",
                "20",
                "--rates",
                "40",
                "--generator",
                there);
        int code = run(new SearchExperiment(options));
        Figures result = result();
        assertJudged(code, result, "the generator was the bottleneck");
        assertThat(result.part("options").text("generator")).isEqualTo(there);
        assertThat(result.get("generator_priority")).isNull();
        assertThat(rows(result, "search")).singleElement().satisfies(row -> {
            assertThat(row.whole("errors")).isZero();
            assertSearches(row);
        });
        assertThat(rows(result, "update")).singleElement().satisfies(SearchExperimentTest::assertUpdates);
        assertThat(directory.resolve("result/histograms/mmap-g1-40.hlog")).isNotEmptyFile();
        try (Stream<Path> files = Files.walk(play)) {
            assertThat(files).as("responses were not to be kept").noneMatch(file -> file.endsWith("responses"));
        }
    }

    private static void assertSearches(Figures row) {
        assertThat(row.names()).containsSubsequence(ROW_OF_A_LOAD).contains("waited_mean_us", "served_mean_us");
        assertThat(row.whole("requests")).isPositive();
        assertThat(row.flag("common")).isTrue();
    }

    private static void assertUpdates(Figures row) {
        assertThat(row.whole("requests")).isPositive();
        assertThat(row.whole("reopens_count")).isPositive();
        assertThat(row.number("visible_p50_ms")).isPositive();
        assertThat(row.number("visible_max_ms")).isGreaterThanOrEqualTo(row.number("visible_p50_ms"));
    }

    private void assertLeft(Figures result) throws IOException, InterruptedException {
        Path folder = directory.resolve("result");
        assertThat(folder.resolve("data")).doesNotExist();
        assertThat(folder.resolve("histograms/mmap-g1-40.hlog")).isNotEmptyFile();
        for (String plot : List.of("search-percentiles-search-40", "search-kinds-40")) {
            assertThat(folder.resolve(plot + ".svg")).as(plot).content().contains("</svg>");
        }
        assertThat(Files.exists(folder.resolve("search-p99-by-load.svg")))
                .isEqualTo(rows(result, "search").stream().anyMatch(row -> row.flag("valid")));
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains(
                        "MMapDirectory, G1",
                        "ByteBuffersDirectory, G1",
                        "LarderDirectory, G1",
                        "loaded in",
                        "Updates beside them")
                .doesNotContain(directory.toString())
                .doesNotContain(shared.toString());
        assertThat(Files.readString(folder.resolve("result.json"))).doesNotContain(directory.toString());
        assertThat(ReportCheck.problemsIfInstalled(folder.resolve("report.html"), directory))
                .isEmpty();
    }

    @Test
    @Tag(Effort.LONG)
    void looksForTheSaturationAndLoadsToSharesOfIt() {
        assumeSoak();
        run(experiment("--subjects mmap --updates 0"));
        Figures result = result();
        double saturation = result.part("saturation_per_s").number("mmap-g1");
        assertThat(saturation).isPositive();
        assertThat(rows(result, "search"))
                .singleElement()
                .satisfies(row -> assertThat(row.number("rate_per_s")).isEqualTo(Math.rint(saturation / 2)));
        assertThat(rows(result, "update"))
                .allSatisfy(row -> assertThat(row.whole("requests")).isZero());
    }

    @Test
    @Tag(Effort.LONG)
    void forksTakeTurnsAndAreCompared() throws IOException, InterruptedException {
        assumeTrue(Boolean.getBoolean("larder.soak"), "takes long: in the long run (-Psoak) only");
        int code = run(experiment("--subjects mmap,bytebuffers --throughput --forks 2"));
        assertThat(code).as(said()).isEqualTo(LabRun.EXIT_OK);
        Figures result = result();
        assertThat(result.rows("forks"))
                .extracting(row -> row.get("subject"))
                .containsExactly("mmap", "bytebuffers", "bytebuffers", "mmap");
        assertThat(result.rows("throughput")).isNotEmpty().allSatisfy(row -> {
            assertThat(row.number("throughput_ratio"))
                    .isBetween(row.number("throughput_ratio_low"), row.number("throughput_ratio_high"));
            assertThat(row.whole("forks")).isEqualTo(2);
        });
        assertThat(result.rows("throughput"))
                .extracting(row -> row.get("kind"))
                .contains("all", "term", "doc-values", "primary-keys", "stored-fields")
                .contains("fuzzy2")
                .doesNotContain("processor", "update");
        Path folder = directory.resolve("result");
        assertThat(folder.resolve("search-throughput-over-mmap-g1.svg")).isNotEmptyFile();
        assertThat(ReportCheck.problemsIfInstalled(folder.resolve("report.html"), directory))
                .isEmpty();
    }

    @Test
    void aServerThatAnswersOtherwiseThanItselfVoidsTheRun() {
        int code = run(new SearchExperiment(
                options("--subjects mmap --updates 0 --rates 100"), LyingSearchTarget.Sometimes.class));
        assertThat(code).isEqualTo(LabRun.EXIT_INVALID);
        Figures all = rows(result(), "all").getFirst();
        assertThat(all.number("errors") / all.number("requests")).isBetween(0.05, 0.4);
        assertThat(said()).contains("mmap, g1: ", "requests failed, or got a wrong answer");
    }

    @Test
    @Tag(Effort.LONG)
    void aServerThatAnswersOtherwiseThanAnotherVoidsTheRun() {
        assumeSoak();
        int code = run(new SearchExperiment(
                options("--subjects mmap,bytebuffers --updates 10 --rates 20"), LyingSearchTarget.Consistently.class));
        assertThat(code).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(said()).contains("bytebuffers-g1 answers 2 of ", "tasks differently from mmap-g1");
    }

    @Test
    void loadsThatAreFinishedAreNotRepeated() throws IOException {
        assumeSoak();
        SearchExperiment experiment = experiment("--subjects mmap --updates 0 --rates 30,60");
        run(experiment);
        Path folder = directory.resolve("result");
        List<String> samples = Files.readAllLines(folder.resolve("samples.jsonl")).stream()
                .map(line -> line.replace("\"valid\":false", "\"valid\":true")) // a busy machine may void any of them
                .toList();
        List<Figures> loads = samples.stream()
                .map(Figures::parse)
                .filter(sample -> "load".equals(sample.get("sample")))
                .toList();
        assertThat(loads).hasSize(2);
        // an interruption before the second load leaves the files like this
        Files.write(folder.resolve("samples.jsonl"), samples.subList(0, samples.size() - 1));
        Files.delete(folder.resolve("result.json"));
        out.reset();
        run(experiment);
        assertThat(said()).contains("continuing an earlier run");
        Figures result = result();
        assertThat(rows(result, "all")).hasSize(2);
        assertThat(rows(result, "all").getFirst())
                .isEqualTo(loads.getFirst().rows("rows").getFirst());
        assertThat(rows(result, "all").getLast())
                .isNotEqualTo(loads.getLast().rows("rows").getFirst());
        assertThat(result.part("index").whole("built_from_document")).isEqualTo(2_000); // the index was complete
    }

    @Test
    @Tag(Effort.LONG)
    void aHeapThatIsTooSmallForTheIndexLeavesARowThatSaysSo() {
        run(experiment("--subjects bytebuffers --kinds highlight --heap-with-index 16TiB --updates 0 --rates 20"));
        assertThat(result().part("index").whole("tasks")).as("of one kind").isEqualTo(20);
        assertThat(rows(result(), "all"))
                .filteredOn(row -> "bytebuffers".equals(row.get("subject")))
                .singleElement()
                .satisfies(row -> assertThat(row.text("skipped_reason"))
                        .contains("too little memory for ByteBuffersDirectory, G1", "16 TiB heap + "));
    }

    @Test
    void anIndexOfSomebodyElseIsRefusedAndStays() throws IOException {
        Path place = Files.createDirectories(directory.resolve("result").resolve("index"));
        Path mine = Files.writeString(place.resolve("mine"), "mine");
        SearchOptions options = Settings.parse(SearchOptions.class, "--quick", "--docs", "1k", "--subjects", "mmap");
        assertThatThrownBy(() -> run(new SearchExperiment(options)))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("index exists, and larder lab did not create it");
        assertThat(mine).hasContent("mine");
    }
}
