package dev.larder.lab.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Figures;
import dev.larder.lab.LabRun;
import dev.larder.lab.RunOptions;
import dev.larder.lab.WholeExperiment;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.FailCondition;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Rows;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the whole experiment with tiny sizes, including child processes; under a memory limit if the machine can hold one. */
class QueueExperimentTest extends WholeExperiment {

    private static final long MIB = 1L << 20;
    private static final long LIMIT = 256 * MIB;

    private int run(QueueOptions options, boolean json, List<FailCondition> failIf) {
        RunOptions run = new RunOptions(directory.resolve("result"), json, false, options.keep(), failIf);
        return run(new QueueExperiment(options), run, "of a test");
    }

    private static @Nullable Long limitWherePossible() {
        try (MemoryLimit limit = MemoryLimit.of(LIMIT)) {
            return limit.bytes() != null && limit.bytes() == LIMIT ? Long.valueOf(LIMIT) : null;
        } catch (LabException e) {
            return null;
        }
    }

    private Figures kept() throws IOException {
        return Figures.parse(Files.readString(directory.resolve("result/result.json")));
    }

    @Test
    @Tag(Effort.LONG)
    void leavesAResultWithEveryFigureOfTheLab() throws IOException {
        Long limit = limitWherePossible();
        String memory = limit == null ? "none" : String.valueOf(limit);
        int code =
                run(QueueOptionsTest.options("--burst 8MiB --total 32MiB --memory-limit " + memory), true, List.of());
        assertThat(said()).contains("of disk");
        assertThat(code).as(said()).isEqualTo(LabRun.EXIT_OK);
        Figures result = Figures.parse(printed()); // the output is only JSON
        assertThat(result.names())
                .containsSubsequence(Rows.names(
                        "experiment valid invalid_reason options seed revision machine jvm started seconds"));
        assertThat(result.flag("valid")).isTrue();
        assertSummary(result.part("summary"), limit);
        assertThat(result.rows("bursts")).hasSize(8).allSatisfy(QueueExperimentTest::assertBurst);
        assertThat(kept().rows("bursts")).isEqualTo(result.rows("bursts"));
        assertThat(result.part("jvm").whole("heap_max_bytes")).isLessThanOrEqualTo(64 * MIB);
    }

    private static void assertSummary(Figures summary, @Nullable Long limit) {
        assertThat(summary.names())
                .containsExactlyElementsOf(Rows.names("memory_limit_bytes below beyond write_over_copy read_over_sum"
                        + " write_sync_beyond_over_below read_beyond_over_below write_sync_over_pwrite"
                        + " write_rate_last_over_second_tenth recycled_over_entered allocated_bytes_per_message"));
        assertThat(summary.wholeOrNull("memory_limit_bytes")).isEqualTo(limit);
        assertThat(summary.part("below").names()).containsExactly("write_ms", "sync_ms", "write_sync_ms", "read_ms");
        assertThat(summary.part("below").part("read_ms").names()).containsExactly("mean", "median", "p95", "max");
        assertThat(summary.number("read_over_sum")).isPositive();
    }

    private static void assertBurst(Figures burst) {
        assertThat(burst.names())
                .containsAll(Rows.names("index bytes append state segments_entered segments_recycled prepare_ms"
                        + " prepare_cpu_ms cpu_ms faults gc_count gc_pause_ms_max virt_bytes res_bytes cached_bytes"
                        + " numa_resident_bytes"));
        for (String time :
                List.of("write_ms", "sync_ms", "read_ms", "copy_ms", "sum_ms", "first_touch_ms", "pwrite_ms")) {
            assertThat(burst.number(time)).as(time).isPositive();
        }
        assertThat(burst.whole("bytes")).isEqualTo(8 * MIB);
    }

    /** One run with data elsewhere, plots, a page, and a figure that is out of bounds. */
    @Test
    void leavesPlotsAndAPageAndNoDataAndFailsWhenAFigureIsOutOfBounds() throws IOException, InterruptedException {
        int code = run(
                QueueOptionsTest.options("--message 512 --state prepared --burst 4MiB --total 8MiB --warm-up 4MiB"
                        + " --directory " + directory.resolve("elsewhere")),
                false,
                List.of(FailCondition.parse("seconds<0"), FailCondition.parse("seconds>0")));
        assertThat(code).as(said()).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(said()).contains("seconds>0").doesNotContain("seconds<0");
        assertThat(directory.resolve("elsewhere")).isEmptyDirectory();
        assertThat(kept().flag("valid")).isTrue();
        Path folder = directory.resolve("result");
        for (String plot : List.of(
                "queue-times-single.svg", "queue-times-batch.svg", "queue-bursts-single.svg", "queue-memory.svg")) {
            assertThat(folder.resolve(plot)).as(plot).content().contains("</svg>");
        }
        String page = Files.readString(folder.resolve("report.html"));
        assertThat(page).contains("Time for each burst, batch appends").doesNotContain("src=");
        assertThat(folder.resolve("data")).doesNotExist();
        assertThat(kept().rows("bursts"))
                .allSatisfy(burst -> assertThat(burst.number("prepare_ms")).isPositive());
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("below memory: write+sync");
        assertThat(ReportCheck.problemsIfInstalled(folder.resolve("report.html"), directory))
                .isEmpty();
    }

    @Test
    void rehearsesOnAFileSystemThatCompressesAndLeavesNothingOfIt() throws IOException {
        assumeTrue(Boolean.getBoolean("larder.soak"), "takes ten seconds: in the long run (-Psoak) only");
        int code = rehearse();
        assertThat(said()).doesNotContain("void");
        assertThat(code).as(said()).isEqualTo(LabRun.EXIT_OK);
        Figures result = kept();
        assertThat(result.part("rehearsal").text("file_system")).isEqualTo("btrfs");
        assertThat(result.part("rehearsal").whole("volume_bytes")).isEqualTo(1L << 40);
        assertThat(result.rows("bursts"))
                .hasSize(4)
                .allSatisfy(
                        burst -> assertThat(burst.whole("volume_used_bytes")).isPositive());
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("on btrfs, compress-force");
        assertThat(directory.resolve("result/data")).doesNotExist();
        assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
    }

    private int rehearse() {
        try {
            return run(
                    QueueOptionsTest.options(
                            "--rehearsal --pattern 64 --append single --burst 2MiB --total 8MiB --warm-up 2MiB"),
                    false,
                    List.of());
        } catch (LabException e) {
            String why = String.valueOf(e.getMessage());
            assumeFalse(why.contains("needs root") || why.contains("there is no") || why.contains("losetup"), why);
            throw e;
        }
    }
}
