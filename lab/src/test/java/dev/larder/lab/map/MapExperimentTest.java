package dev.larder.lab.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Figures;
import dev.larder.lab.LabRun;
import dev.larder.lab.WholeExperiment;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Rows;
import dev.larder.lab.study.Settings;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.ReportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the whole experiment with tiny sizes, including child processes. */
class MapExperimentTest extends WholeExperiment {

    private static MapOptions options(String arguments) {
        String small =
                "--entries 2k --value 100 --threads 2 --rounds 1 --seconds 0.02 --warm-up 20ms --safepoints 200 ";
        return Settings.parse(MapOptions.class, (small + arguments).split(" ", -1));
    }

    private Figures run(MapOptions options) {
        int code = run(new MapExperiment(options));
        assertThat(code).as(said()).isEqualTo(LabRun.EXIT_OK);
        return result();
    }

    @Test
    @Tag(Effort.LONG)
    void hasARowForEveryOperationBesidePlainMemory() throws IOException, InterruptedException {
        Figures result = run(options("--subjects larder,concurrent-hash-map --writes 0,10,100"));
        assertThat(result.rows("rows"))
                .hasSize(2 * 4)
                .allSatisfy(row -> assertThat(row.whole("errors")).isZero())
                .allSatisfy(row -> assertThat(row.number("answered_per_s")).isPositive())
                .allSatisfy(row -> assertThat(row.number("time_over_plain")).isPositive())
                .allSatisfy(row -> assertThat(row.number("p50_us")).isPositive())
                .as("without new keys it stays as it was loaded")
                .allSatisfy(row -> assertThat(row.number("entries_start")).isEqualTo(2000))
                .allSatisfy(row -> assertThat(row.number("entries_end")).isEqualTo(2000));
        assertThat(result.rows("rows"))
                .extracting(row -> row.text("operation"))
                .contains("get", "read", "mix-10", "put");
        assertThat(result.rows("loads"))
                .hasSize(2)
                .allSatisfy(load -> assertThat(load.number("memory_bytes")).isPositive());
        Figures larder = result.rows("loads").getFirst();
        assertThat(larder.number("cached_file_bytes")).isGreaterThan(2000 * 100);
        assertThat(larder.number("reopen_ms")).isPositive();
        assertThat(larder.get("entries_end")).isNull();
        assertThat(result.rows("settings")).hasSize(2);
        assertThat(directory.resolve("result/data")).doesNotExist();
        assertThat(directory.resolve("result/report.html")).content().contains("time/plain");
        assertThat(ReportCheck.problemsIfInstalled(directory.resolve("result/report.html"), directory))
                .isEmpty();
    }

    /** The plain records of a size may not start; what was measured before is kept. */
    @Test
    void keepsTheResultWhereThePlainRecordsFail() throws IOException {
        Files.createDirectories(directory.resolve("result").resolve("map-" + MapKind.PLAIN.name() + ".log"));
        assertThat(run(new MapExperiment(options("--subjects larder --writes 0"))))
                .isEqualTo(LabRun.EXIT_INVALID);
        assertThat(result().text("invalid_reason")).contains("cannot start the child process");
    }

    /** A map reuses the space of overwritten values, and a log drops its oldest messages. */
    @Test
    void needsNoMoreDiskTheLongerPutsLast() {
        assertThat(diskBytes(options("--subjects larder,log --writes 100 --seconds 600")))
                .isEqualTo(diskBytes(options("--subjects larder,log --writes 100 --seconds 1")));
    }

    private static long diskBytes(MapOptions options) {
        return new MapExperiment(options).diskBytes(options.shapes().getFirst());
    }

    /**
     * A file without an index answers as a map does, but has no place where a value could be read. A log takes what is put, but
     * finds nothing. A map reports what its cleaner wrote. Plain memory is not measured beside them.
     */
    @Test
    @Tag(Effort.LONG)
    void hasFilesALogAndTheCleanerBesideTheMaps() throws IOException, InterruptedException {
        Figures result = run(
                options("--subjects larder-cache,larder-tight,plain-file,mapped-file,log --writes 0,100 --no-plain"));
        assertThat(result.rows("rows"))
                .extracting(row -> row.text("subject") + " " + row.text("operation"))
                .containsExactlyInAnyOrder(
                        "larder-cache get",
                        "larder-cache read",
                        "larder-cache put",
                        "larder-tight get",
                        "larder-tight read",
                        "larder-tight put",
                        "plain-file get",
                        "plain-file put",
                        "mapped-file get",
                        "mapped-file read",
                        "mapped-file put",
                        "log put");
        assertThat(result.rows("rows"))
                .allSatisfy(row -> assertThat(row.whole("errors")).isZero())
                .allSatisfy(row -> assertThat(row.number("answered_per_s")).isPositive())
                .allSatisfy(row -> assertThat(row.get("time_over_plain")).isNull());
        assertThat(Rows.where(result.rows("rows"), "operation", "get"))
                .allSatisfy(row -> assertThat(row.number("safepoints")).isPositive())
                .allSatisfy(row -> assertThat(row.number("safepoint_max_us")).isPositive());
        assertThat(Rows.where(result.rows("rows"), "subject", "larder-tight"))
                .filteredOn(row -> row.text("operation").equals("put"))
                .singleElement()
                .satisfies(put -> {
                    assertThat(put.number("written_for_one")).isGreaterThanOrEqualTo(1);
                    assertThat(put.number("alive_of_used")).isBetween(0.0, 1.0);
                });
        assertThat(result.rows("not_measured")).isEmpty();
        assertThat(directory.resolve("result/map-plain.log")).doesNotExist();
        assertThat(directory.resolve("result/report.html")).content().doesNotContain("plain memory", "time/plain");
    }

    /** Each subject grows, finds all keys that are asked for, and still has the new keys when it is opened again. */
    @Test
    void growsByNewKeys() throws IOException, InterruptedException {
        assumeTrue(Boolean.getBoolean("larder.soak"), "takes a quarter of a minute: in the long run (-Psoak) only");
        List<String> subjects =
                List.of("larder", "larder-cache", "concurrent-hash-map", "plain-file", "mapped-file", "log");
        Figures result = run(options("--writes 0,50,100 --new-keys 20 --subjects " + String.join(",", subjects)));
        assertThat(result.rows("not_measured")).isEmpty();
        assertThat(result.rows("rows"))
                .extracting(row -> row.text("subject"))
                .containsOnly(subjects.toArray(String[]::new));
        assertThat(result.rows("rows")).allSatisfy(MapExperimentTest::assertGrowth);
        assertThat(result.rows("loads")).hasSize(subjects.size()).allSatisfy(load -> {
            assertThat(load.number("entries_end")).isGreaterThan(2000);
            assertThat(load.number("memory_end_bytes")).isPositive();
        });
        assertThat(directory.resolve("result/report.html")).content().contains("20 % of the puts of new keys");
        assertThat(said()).contains("each map has 2,000 x 100 B and room for");
        assertThat(ReportCheck.problemsIfInstalled(directory.resolve("result/report.html"), directory))
                .isEmpty();
    }

    private static void assertGrowth(Figures row) {
        String what = row.text("subject") + " " + row.text("operation");
        double come = row.number("entries_end") - row.number("entries_start");
        assertThat(row.whole("errors")).as(what).isZero();
        assertThat(row.number("entries_start")).as(what).isGreaterThanOrEqualTo(2000);
        if (row.text("operation").equals("put") || row.text("operation").equals("mix-50")) {
            assertThat(come).as(what).isPositive();
        } else {
            assertThat(come).as(what).isZero();
        }
    }

    /** The room is for all that threads could put in the given time. Too large a room is refused before anything is loaded. */
    @Test
    void refusesGrowthThatHasNoRoom() {
        MapOptions options = options("--subjects larder --writes 100 --new-keys 100 --seconds 600");
        assertThat(options.shapes().getFirst().newEntries()).isGreaterThan(2_000_000_000L);
        assertThatThrownBy(() -> run(options))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("2,000 x 100 B and room for ")
                .hasMessageContaining(" new ones");
    }

    @Test
    void hasRoomForNewKeysOnlyWhereTheyAreAskedFor() {
        assertThat(options("--writes 0,100").shapes().getFirst().newEntries()).isZero();
        MapShape few = options("--writes 10 --new-keys 1 --seconds 1").shapes().getFirst();
        MapShape many =
                options("--writes 10 --new-keys 100 --seconds 1").shapes().getFirst();
        assertThat(many.newEntries()).isBetween(99 * few.newEntries(), 101 * few.newEntries());
        assertThat(many.mostBytes()).isEqualTo((2000 + many.newEntries()) * 108);
    }
}
