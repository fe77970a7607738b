package dev.larder.lab.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.LabRun;
import dev.larder.lab.RunOptions;
import dev.larder.lab.result.Figures;
import dev.larder.tests.support.ReportCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the whole experiment, child processes and all, with tiny sizes. */
class MapExperimentTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    static MapOptions options(List<String> subjects, List<Integer> writes) {
        return new MapOptions(
                List.of(2000L), List.of(100), subjects, writes, List.of(2), 1, 0.02, 0.02, null, null, 200, 1, false);
    }

    private Figures run(MapOptions options) {
        RunOptions run = new RunOptions(directory.resolve("result"), true, false, false, List.of());
        int code = new LabRun(new MapExperiment(options), run, stream(out), stream(err), false).execute();
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(LabRun.EXIT_OK);
        return Figures.parse(out.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    @Test
    void hasARowForEveryOperationBesidePlainMemory() throws IOException, InterruptedException {
        Figures result = run(options(List.of("larder", "concurrent-hash-map"), List.of(0, 10, 100)));
        assertThat(result.rows("rows"))
                .hasSize(2 * 4)
                .allSatisfy(row -> assertThat(row.whole("errors")).isZero())
                .allSatisfy(row -> assertThat(row.number("answered_per_s")).isPositive())
                .allSatisfy(row -> assertThat(row.number("time_over_plain")).isPositive())
                .allSatisfy(row -> assertThat(row.number("p50_us")).isPositive());
        assertThat(result.rows("rows"))
                .extracting(row -> row.text("operation"))
                .contains("get", "read", "mix-10", "put");
        assertThat(result.rows("loads"))
                .hasSize(2)
                .allSatisfy(load -> assertThat(load.number("memory_bytes")).isPositive());
        Figures larder = result.rows("loads").getFirst();
        assertThat(larder.number("cached_file_bytes")).isGreaterThan(2000 * 100);
        assertThat(larder.number("reopen_ms")).isPositive();
        assertThat(result.rows("settings")).hasSize(2);
        assertThat(directory.resolve("result/data")).doesNotExist();
        assertThat(ReportCheck.problems(directory.resolve("result/report.html"), directory))
                .isEmpty();
    }

    /** A file without an index answers as a map does, and has no place where a value could be read. */
    @Test
    void hasAFileBesideTheMaps() {
        Figures result = run(options(List.of("larder-cache", "plain-file", "mapped-file"), List.of(0)));
        assertThat(result.rows("rows"))
                .extracting(row -> row.text("subject") + " " + row.text("operation"))
                .containsExactlyInAnyOrder(
                        "larder-cache get",
                        "larder-cache read",
                        "plain-file get",
                        "mapped-file get",
                        "mapped-file read");
        assertThat(result.rows("rows"))
                .allSatisfy(row -> assertThat(row.whole("errors")).isZero());
        assertThat(result.rows("rows"))
                .allSatisfy(row -> assertThat(row.number("safepoints")).isPositive())
                .allSatisfy(row -> assertThat(row.number("safepoint_max_us")).isPositive());
        assertThat(result.rows("not_measured")).isEmpty();
    }

    /** A log takes what is put, and finds nothing; a map tells what its cleaner wrote. */
    @Test
    void hasTheLogAndTheCleaner() {
        Figures result = run(options(List.of("larder-tight", "log"), List.of(0, 100)));
        assertThat(result.rows("rows"))
                .extracting(row -> row.text("subject") + " " + row.text("operation"))
                .containsExactlyInAnyOrder("larder-tight get", "larder-tight read", "larder-tight put", "log put");
        Figures put = result.rows("rows").stream()
                .filter(row -> row.text("subject").equals("larder-tight")
                        && row.text("operation").equals("put"))
                .findFirst()
                .orElseThrow();
        assertThat(put.number("written_for_one")).isGreaterThanOrEqualTo(1);
        assertThat(put.number("alive_of_used")).isBetween(0.0, 1.0);
        assertThat(result.rows("not_measured")).isEmpty();
    }

    @Test
    void refusesWhatItCannotMeasure() {
        assertThatThrownBy(() -> options(List.of("nitrite"), List.of(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--subjects nitrite: no such map");
        assertThatThrownBy(() -> options(List.of(), List.of(101)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--writes 101");
    }
}
