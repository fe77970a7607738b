package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.lab.LabRun;
import dev.larder.lab.RunOptions;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.RivalClassPath;
import dev.larder.lab.result.FailCondition;
import dev.larder.lab.result.Figures;
import dev.larder.lab.result.LabException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the whole experiment, child processes and all, with tiny sizes; databases where their drivers were built. */
class DatabaseExperimentTest {

    private static final long RECORDS = 5_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private int run(DatabaseExperiment experiment, FailCondition... failIf) {
        RunOptions run = new RunOptions(directory.resolve("result"), true, false, false, List.of(failIf));
        return new LabRun(experiment, run, stream(out), stream(err), false).execute();
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private Figures result() {
        return Figures.parse(out.toString(StandardCharsets.UTF_8));
    }

    private static DatabaseExperiment experiment(String... stores) {
        return new DatabaseExperiment(DatabaseOptionsTest.options(RECORDS, 1024, List.of(stores), null, null));
    }

    private static void assumeRivalsAreBuilt() {
        try {
            RivalClassPath.find();
        } catch (LabException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    private static void assertRow(Figures row) {
        assertThat(row.names()).contains("store", "durability", "insert_ms", "query_ms", "bytes_on_disk", "settings");
        for (String time : List.of("insert_ms", "scan_ms", "query_ms")) {
            assertThat(row.number(time)).as(time).isPositive();
        }
        assertThat(row.whole("bytes_on_disk")).isGreaterThan(RECORDS * 1024 - 1);
        assertThat(row.part("settings").text("promise")).isNotBlank();
    }

    @Test
    void leavesAResultWithEveryFigureOfTheLab() throws IOException {
        assertThat(run(experiment("larder", "file"))).isEqualTo(LabRun.EXIT_OK);
        Figures result = result(); // nothing but JSON
        assertThat(result.flag("valid")).isTrue();
        assertThat(result.rows("rows"))
                .extracting(row -> row.text("store") + " " + row.text("durability"))
                .containsExactly("larder commit", "larder end", "file commit", "file end");
        assertThat(result.rows("rows")).allSatisfy(DatabaseExperimentTest::assertRow);
        assertThat(result.rows("generator")).hasSize(2);
        assertThat(result.part("summary").part("commit").part("insert").number("file_over_larder"))
                .isPositive();
        assertThat(directory.resolve("result/data")).doesNotExist();
        assertThat(Files.readString(directory.resolve("result/report.html")))
                .contains("What a database gives that a log does not")
                .contains("a table of positions");
    }

    @Test
    void failsWhereNoDatabaseWasThereToCompareWith() {
        FailCondition bar = FailCondition.parse("summary.commit.insert.fastest_database_over_larder<8");
        assertThat(run(experiment("larder"), bar)).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("has no value");
    }

    @Test
    void comparesWithSqliteAndH2() {
        assumeRivalsAreBuilt();
        assertThat(run(experiment("larder", "sqlite", "h2"))).isEqualTo(LabRun.EXIT_OK);
        Figures result = result();
        assertThat(result.rows("rows"))
                .extracting(row -> row.text("store") + " " + row.text("variant"))
                .contains("sqlite wal", "sqlite journal", "h2 ");
        assertThat(result.rows("rows")).hasSize(8).allSatisfy(DatabaseExperimentTest::assertRow);
        for (String durability : List.of("commit", "end")) {
            for (String step : List.of("insert", "scan", "query")) {
                assertThat(result.part("summary").part(durability).part(step).number("fastest_database_over_larder"))
                        .isPositive();
            }
        }
    }

    @Test
    void voidsTheRunOfAStoreThatLosesARecord() {
        StoreKind lossy = new StoreKind("larder", "", DatabaseExperimentTest::lossyChild);
        DatabaseOptions options = DatabaseOptionsTest.options(RECORDS, 1024, List.of(), null, null);
        assertThat(run(new DatabaseExperiment(options, List.of(lossy)))).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(result().flag("valid")).isFalse();
        assertThat(result().text("invalid_reason")).contains("found record 38 of round 0 in its place");
    }

    private static List<String> lossyChild() {
        String path = String.join(
                File.pathSeparator,
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path", ""),
                Path.of("target", "test-classes").toAbsolutePath().toString());
        List<String> command = new ArrayList<>(JavaProcess.start(64 << 20));
        command.addAll(List.of("-cp", path, LossyChild.class.getName()));
        return command;
    }

    @Test
    void skipsPostgresWithTheReasonAndRefusesItWhenItWasAskedFor() {
        assertThatThrownBy(() -> experiment("larder", "postgres"))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("--stores postgres: no server was named");
        DatabaseOptions all = DatabaseOptionsTest.options(1000, 1024, List.of(), null, null);
        assertThat(run(new DatabaseExperiment(all))).isEqualTo(LabRun.EXIT_OK);
        assertThat(result().rows("skipped"))
                .filteredOn(store -> store.text("store").equals("postgres"))
                .singleElement()
                .satisfies(store -> assertThat(store.text("reason")).contains("--postgres start"));
    }

    @Test
    void comparesWithAPostgresOfItsOwn() throws IOException {
        assumeRivalsAreBuilt();
        assumeTrue(PostgresServer.isInstalled(), "PostgreSQL is not installed");
        // where we are root, the server is another user, who must be able to come here
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        DatabaseOptions options =
                DatabaseOptionsTest.options(RECORDS, 1024, List.of("larder", "postgres"), "start", null);
        assertThat(run(new DatabaseExperiment(options)))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(LabRun.EXIT_OK);
        assertThat(result().rows("rows"))
                .extracting(row -> row.text("store") + " " + row.text("variant"))
                .contains("postgres copy", "postgres insert");
        assertThat(result().toJson()).doesNotContain("password");
    }
}
