package dev.larder.benchmarks.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.LabRun;
import dev.larder.lab.RunOptions;
import dev.larder.lab.map.MapExperiment;
import dev.larder.lab.map.MapOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rival starts with the flags that are named for it, gives a map's answers, loses nothing, and is timed: those that do not
 * start without flags, and in the long run all.
 */
class MapRivalsIT {

    private static final List<String> SUBJECTS = Boolean.getBoolean("larder.soak")
            ? List.of("ohc", "chronicle-map", "ehcache", "mapdb", "mvstore", "lmdb", "rocksdb")
            : List.of("chronicle-map", "lmdb");

    @TempDir
    Path directory;

    private static MapOptions options(List<Integer> writes, int newKeys) {
        return new MapOptions(
                new MapOptions.Sizes(List.of(1000L), List.of(100)),
                SUBJECTS,
                new MapOptions.Mix(writes, newKeys, List.of(1)),
                new MapOptions.Rounds(1, 0.01, 0, 0),
                null,
                true,
                null,
                1,
                false);
    }

    @Test
    void allGiveTheSameAnswers() {
        assertThat(measure(options(List.of(0), 0)))
                .allSatisfy(row -> assertThat(row.whole("errors")).isZero());
    }

    /** Those that are sized in advance have room for what comes. */
    @Test
    void allGrow() {
        assertThat(measure(options(List.of(0, 100), 50)))
                .filteredOn(row -> row.text("operation").equals("put"))
                .hasSize(SUBJECTS.size())
                .allSatisfy(row -> assertThat(row.number("entries_end")).isGreaterThan(1000));
    }

    private List<Figures> measure(MapOptions options) {
        RunOptions run = new RunOptions(directory.resolve("result"), true, false, false, List.of());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = new LabRun(new MapExperiment(options), run, print(out), print(err), false).execute();
        Figures result = Figures.parse(out.toString(StandardCharsets.UTF_8));
        assertThat(result.rows("not_measured")).isEmpty();
        assertThat(code).isEqualTo(LabRun.EXIT_OK);
        assertThat(result.rows("loads"))
                .extracting(load -> load.text("subject"))
                .containsExactlyElementsOf(SUBJECTS);
        return result.rows("rows");
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
