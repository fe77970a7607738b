package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Figures;
import dev.larder.lab.LabRun;
import dev.larder.lab.WholeExperiment;
import dev.larder.lab.result.LabException;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the whole experiment with tiny sizes, including processes. */
final class HeapExperimentTest extends WholeExperiment {

    private static final long MIB = 1L << 20;
    private static final long LIVE = 32 * MIB;
    private static final long HEAP = 128 * MIB;

    @Test
    @Tag(Effort.LONG)
    void leavesTheRowsOfEachCandidateAndPhase() throws IOException {
        HeapOptions options = HeapOptionsTest.options("--heap-factor 4 --collectors parallel,zgc --refresh 1000");
        int code = run(new HeapExperiment(options));
        Figures result = result();
        assertJudged(code, result, "steady: the generator was the bottleneck");
        assertThat(result.rows("runs")).hasSize(3 * 2 * 3).allSatisfy(row -> {
            assertThat(row.names())
                    .containsSubsequence(ROW_OF_A_LOAD)
                    .contains("percentiles", "longest_safepoint_ms", "gc_count");
            assertThat(row.whole("errors")).isZero();
            assertThat(row.whole("live_bytes")).isEqualTo(LIVE);
        });
        assertThat(rows(result, "all")).allSatisfy(HeapExperimentTest::assertAll);
        assertThat(requests(rows(result, "get")) + requests(rows(result, "put")))
                .isEqualTo(requests(rows(result, "all")));
        assertThat(rows(result, "put"))
                .allSatisfy(row -> assertThat(row.whole("requests")).isPositive());
        assertMemory(rows(result, "all"));
        assertLeft(result);
    }

    private static long requests(List<Figures> rows) {
        return rows.stream().mapToLong(row -> row.whole("requests")).sum();
    }

    private static void assertAll(Figures row) {
        assertThat(row.whole("requests")).isPositive();
        assertThat(row.rows("timeline")).isNotEmpty();
        assertThat(row.names()).contains("pauses", "hiccups");
        assertThat(row.number("cpu_cores")).isPositive();
        assertThat(row.number("allocated_bytes_per_request")).isGreaterThan(HeapService.OBJECT_BYTES);
        assertThat(row.get("longest_stall_ms") == null)
                .isEqualTo(!row.text("collector").equals("zgc"));
        if (row.text("phase").equals("refresh")) {
            assertThat(row.number("refresh_per_s")).isPositive();
        } else {
            assertThat(row.number("refresh_per_s")).isZero();
        }
    }

    /** The whole heap counts, once, however a collector maps it; the same holds for the region. */
    private static void assertMemory(List<Figures> rows) {
        for (Figures row : rows) {
            Long memory = row.wholeOrNull("memory_bytes");
            boolean onHeap = row.text("subject").equals("concurrent-hash-map");
            assertThat(row.whole("heap_bytes")).isEqualTo(onHeap ? HEAP : 64 * MIB);
            if (memory != null) {
                long least = onHeap ? HEAP : 64 * MIB + LIVE;
                assertThat(memory).as("memory of " + row.get("collector")).isBetween(least, least + 200 * MIB);
            }
        }
    }

    private void assertLeft(Figures result) throws IOException {
        Path folder = directory.resolve("result");
        assertThat(folder.resolve("data")).doesNotExist();
        assertThat(Files.readAllLines(folder.resolve("samples.jsonl")))
                .hasSize(result.rows("runs").size() / 3); // all, get, put
        assertThat(folder.resolve("histograms/region-g1-32MiB-refresh.hlog")).isNotEmptyFile();
        for (String plot : List.of("heap-percentiles-32MiB-steady", "heap-memory-32MiB", "heap-pause-32MiB")) {
            assertThat(folder.resolve(plot + ".svg")).as(plot).content().contains("</svg>");
        }
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("Pauses of a large heap", "ConcurrentHashMap, ZGC", "off-heap region, G1")
                .doesNotContain(directory.toString());
        assertThat(Files.readString(folder.resolve("result.json"))).doesNotContain(directory.toString());
    }

    @Test
    void aStoreThatGivesBackAWrongValueVoidsTheRun() {
        HeapOptions options = HeapOptionsTest.options("--live 4MiB --heap-factor 16");
        int code = run(new HeapExperiment(options, List.of(LyingTarget.SUBJECT)));
        assertThat(code).isEqualTo(LabRun.EXIT_INVALID);
        Figures all = rows(result(), "all").getFirst();
        assertThat(all.number("errors") / all.number("requests")).isBetween(0.03, 0.2);
        assertThat(all.flag("valid")).isFalse();
        assertThat(said()).contains("liar, g1, steady", "requests failed, or got a wrong answer");
    }

    @Test
    void aTargetThatEndsLeavesARowThatSaysSo() {
        HeapOptions options = HeapOptionsTest.options("--heap-factor 1.25");
        HeapSubject tooSmall = new HeapSubject(
                "too-small",
                "too small",
                true,
                (heapBytes, flags) -> HeapSubject.HASH_MAP.starter().command(16 * MIB, flags));
        int code = run(new HeapExperiment(options, List.of(tooSmall)));
        assertThat(code).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(result().rows("runs"))
                .singleElement()
                .satisfies(row -> assertThat(row.text("failed_reason")).contains("heap space"));
    }

    @Test
    void aSubjectThatIsNotThereIsSkippedWithTheReason() {
        HeapOptions options = HeapOptionsTest.options("--seed 1");
        HeapSubject missing = new HeapSubject("missing", "missing", true, (heapBytes, flags) -> {
            throw new LabException("its jars are not here");
        });
        assertThat(run(new HeapExperiment(options, List.of(missing)))).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(result().rows("runs")).singleElement().satisfies(row -> {
            assertThat(row.text("skipped_reason")).isEqualTo("its jars are not here");
            assertThat(row.flag("valid")).isFalse();
        });
        assertThat(said()).contains("skipped missing, G1: its jars are not here");
    }

    @Test
    void refusesWhatDoesNotFitTheMemoryWithTheArithmetic() {
        HeapOptions options = HeapOptionsTest.options("--live 1TiB");
        assertThatThrownBy(() -> run(new HeapExperiment(options)))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("too little memory for ConcurrentHashMap, G1 with 1 TiB of values")
                .hasMessageContaining("TiB heap + ")
                .hasMessageContaining("Use a smaller --live");
    }
}
