package dev.larder.benchmarks.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Figures;
import dev.larder.lab.LabRun;
import dev.larder.lab.RunOptions;
import dev.larder.lab.database.DatabaseExperiment;
import dev.larder.lab.database.DatabaseOptions;
import dev.larder.lab.database.Durability;
import dev.larder.lab.database.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole experiment with databases, each in its child process, started from the jars that this module has built. */
class DatabaseExperimentIT {

    private static final long RECORDS = 5_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private Figures run(@Nullable String postgres, String... stores) {
        DatabaseOptions options = new DatabaseOptions(
                new DatabaseOptions.Inserts(RECORDS, 1024, 1000, 100),
                List.of(Durability.COMMIT, Durability.END),
                new DatabaseOptions.Queries(500, List.of(10, 100)),
                2,
                List.of(stores),
                postgres,
                null,
                1,
                false);
        RunOptions run = new RunOptions(directory.resolve("result"), true, false, false, List.of());
        int code = new LabRun(new DatabaseExperiment(options), run, stream(out), stream(err), false).execute();
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(LabRun.EXIT_OK);
        return Figures.parse(out.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static void assertRow(Figures row) {
        assertThat(row.whole("rounds")).isEqualTo(2);
        for (String time : List.of("insert_ms", "insert_ms_min", "insert_ms_max", "scan_ms", "query_ms")) {
            assertThat(row.number(time)).as(time).isPositive();
        }
        assertThat(row.whole("bytes_on_disk")).isGreaterThan(RECORDS * 1024 - 1);
        assertThat(row.part("settings").text("promise")).isNotBlank();
    }

    private static void assertRatios(Figures result) {
        for (String durability : List.of("commit", "end")) {
            for (String step : List.of("insert", "scan", "query")) {
                Figures comparison = result.part("summary").part(durability).part(step);
                assertThat(comparison.number("fastest_database_over_larder"))
                        .as(durability + " " + step)
                        .isPositive();
            }
        }
    }

    @Test
    void comparesWithSqliteAndH2() {
        Figures result = run(null, "larder", "sqlite", "h2");
        assertThat(result.rows("rows"))
                .extracting(row -> (row.text("store") + " " + row.text("variant")).strip())
                .containsOnly("larder", "sqlite wal", "sqlite journal", "h2");
        assertThat(result.rows("rows")).hasSize(8).allSatisfy(DatabaseExperimentIT::assertRow);
        assertRatios(result);
        assertThat(directory.resolve("result/data")).doesNotExist();
    }

    @Test
    void comparesWithAPostgresOfItsOwn() throws IOException {
        assumeTrue(PostgresServer.isInstalled(), "PostgreSQL is not installed");
        // where we are root, the server is another user, who must be able to come here
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Figures result = run("start", "larder", "postgres");
        assertThat(result.rows("rows"))
                .extracting(row -> (row.text("store") + " " + row.text("variant")).strip())
                .containsOnly("larder", "postgres copy", "postgres insert");
        assertThat(result.rows("rows")).hasSize(6).allSatisfy(DatabaseExperimentIT::assertRow);
        assertRatios(result);
        assertThat(result.toJson()).doesNotContain("password");
    }
}
