package dev.larder.lab.buffers;

import static dev.larder.lab.buffers.BuffersOptionsTest.KIB;
import static dev.larder.lab.buffers.BuffersOptionsTest.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Figures;
import dev.larder.lab.LabRun;
import dev.larder.lab.WholeExperiment;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Rows;
import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the whole experiment with tiny sizes, including child processes. */
class BuffersExperimentTest extends WholeExperiment {

    private int run(BuffersOptions options, Class<?> child) {
        return run(new BuffersExperiment(options, child));
    }

    private Path file(String name) {
        return directory.resolve("result").resolve(name);
    }

    @Test
    @Tag(Effort.LONG)
    void hasARowForEveryKindAndAProofOfWhatItIsFor() throws IOException, InterruptedException {
        List<BufferKind> all = List.of(BufferKind.values());
        int code = run(
                BuffersOptionsTest.options("--total 8MiB --block 4KiB,2MiB --rounds 2 --warm-up 1"),
                BuffersChild.class);
        assertThat(code).as(said()).isEqualTo(LabRun.EXIT_OK);
        Figures result = result();
        assertThat(result.flag("valid")).isTrue();
        assertThat(result.rows("rows")).hasSize(2 * all.size()).allSatisfy(BuffersExperimentTest::assertRow);
        assertThat(result.rows("proofs")).hasSize(3 * (all.size() - 2)).allSatisfy(BuffersExperimentTest::assertProof);
        assertThat(result.rows("proofs"))
                .filteredOn(proof -> proof.flag("passed"))
                .extracting(proof -> proof.text("kind") + " " + proof.text("proof"))
                .contains("direct transfer", "mapped-rw transfer", "mapped-rw attach", "mapped-rw outlive");
        assertHeap(result);
        assertThat(file("report.html")).content().contains("perctile95_buffer_create_and_work_time_millis");
        assertThat(file("data")).doesNotExist();
        assertThat(ReportCheck.problemsIfInstalled(file("report.html"), directory))
                .isEmpty();
    }

    private static void assertRow(Figures row) {
        assertThat(row.names())
                .containsAll(Rows.names("kind block_bytes rounds create_ms create_ms_p95 write_ms write_ms_p95"
                        + " create_write_ms_p95 release_ms_p95 heap_bytes_p95 skipped_reason"));
        boolean skipped = row.get("skipped_reason") != null;
        assertThat(row.whole("rounds")).isEqualTo(skipped ? 0 : 2);
        for (String name : BuffersExperiment.FIGURES) {
            double middle = row.number(name);
            assertThat(middle <= row.number(name + "_max")).as(name).isNotEqualTo(skipped);
        }
        assertThat(row.number("create_write_ms") > 0).isNotEqualTo(skipped);
    }

    private static void assertProof(Figures proof) {
        boolean skipped = proof.get("skipped_reason") != null;
        assertThat(proof.get("passed")).isEqualTo(skipped ? null : Boolean.TRUE);
        if (!skipped) {
            assertThat(proof.whole("bytes")).isEqualTo(16 * MIB);
        }
    }

    /** An array lies in the heap, bytes outside do not: these keep only objects of some hundred bytes there. */
    private static void assertHeap(Figures result) {
        for (Figures row : result.rows("rows")) {
            long blocks = 8 * MIB / row.whole("block_bytes");
            if (row.text("kind").equals("heap")) {
                assertThat(row.number("heap_bytes"))
                        .isBetween(8.0 * MIB - 400 * KIB, 8.0 * MIB + blocks * 1000 + 400 * KIB);
            } else if (row.whole("rounds") > 0) {
                assertThat(row.number("heap_bytes")).isLessThan(blocks * 1000.0 + 400 * KIB);
            }
        }
    }

    @Test
    void livesUnderAMemoryLimit() {
        assumeTrue(canLimit(), "no memory limit can be held here");
        BuffersOptions options =
                BuffersOptionsTest.options("--kinds heap,mapped-rw --block 1MiB --total 4MiB --memory-limit 256MiB");
        int code = run(options, BuffersChild.class);
        assertThat(code).as(said()).isEqualTo(LabRun.EXIT_OK);
        assertThat(result().text("memory")).contains("256 MiB");
        assertThat(result().part("jvm").whole("heap_max_bytes")).isLessThanOrEqualTo(64 * MIB);
    }

    private static boolean canLimit() {
        try (MemoryLimit limit = MemoryLimit.of(256 * MIB)) {
            return limit.bytes() != null && limit.bytes() == 256 * MIB;
        } catch (LabException e) {
            return false;
        }
    }

    @Test
    void isVoidWhereANumberIsNotWhatWasWritten() {
        assertThat(reasonOf(FaultyBuffersChild.Forgetful.class))
                .contains("1 of the checked numbers differ from the written ones");
    }

    @Test
    @Tag(Effort.LONG)
    void isVoidWhereABlockIsMissing() {
        assertThat(reasonOf(FaultyBuffersChild.Lazy.class)).contains("255 of 256 blocks were written");
    }

    @Test
    @Tag(Effort.LONG)
    void isVoidWhereNothingWasLeftBehind() {
        assertThat(reasonOf(FaultyBuffersChild.Tidy.class)).contains("the proof \"attach\" of mapped-rw failed");
    }

    @Test
    @Tag(Effort.LONG)
    void isVoidWhereATransferGoesThroughTheHeap() {
        assertThat(reasonOf(FaultyBuffersChild.Copying.class))
                .contains("the proof \"transfer\" of mapped-rw failed")
                .contains("16777216 bytes allocated on the heap");
    }

    private @Nullable String reasonOf(Class<?> child) {
        BuffersOptions options = BuffersOptionsTest.options("--kinds mapped-rw --block 4KiB --total 1MiB");
        assertThat(run(options, child)).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(result().flag("valid")).isFalse();
        return result().text("invalid_reason");
    }

    /** A parent deletes all that its killed child has left, of any kind. */
    @Test
    void deletesWhatIsStillThere() {
        BlockNames names = new BlockNames(
                directory, "larder-lab-test-" + ProcessHandle.current().pid());
        List<BufferKind> kinds = Stream.of(BufferKind.values())
                .filter(kind ->
                        kind.region().isNamed() && kind.region().unavailable().isEmpty())
                .toList();
        for (BufferKind kind : kinds) {
            for (Object block : new Object[] {BlockNames.FILE, 0, 1023}) {
                Region.create(kind.region(), names.of(kind, block), 4096).close();
            }
            names.deleteAll(kind);
            assertThat(Region.delete(kind.region(), names.of(kind, 1023))).isFalse();
            assertThat(Region.delete(kind.region(), names.of(kind, BlockNames.FILE)))
                    .isFalse();
        }
        assertThat(kinds).extracting(BufferKind::region).contains(RegionKind.MAPPED_FILE);
        assertThat(directory).isEmptyDirectory();
    }
}
