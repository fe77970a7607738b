package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Figures;
import dev.larder.lab.LabRun;
import dev.larder.lab.WholeExperiment;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.result.FailCondition;
import dev.larder.lab.result.LabException;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.ReportCheck;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the whole experiment with tiny sizes, including child processes, but without databases: those have their own tests. */
class DatabaseExperimentTest extends WholeExperiment {

    private static final long RECORDS = 5_000;

    private static DatabaseExperiment experiment(String... stores) {
        return new DatabaseExperiment(DatabaseOptionsTest.options("--stores " + String.join(",", stores)));
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
    @Tag(Effort.LONG)
    void leavesAResultWithEveryFigureOfTheLab() throws IOException, InterruptedException {
        int code = run(experiment("larder", "larder-map", "file"));
        assertThat(code).as(said()).isEqualTo(LabRun.EXIT_OK);
        Figures result = result(); // the output is only JSON
        assertThat(result.flag("valid")).isTrue();
        assertThat(result.rows("rows"))
                .extracting(row -> row.text("store") + " " + row.text("durability"))
                .containsExactly(
                        "larder commit",
                        "larder end",
                        "larder-map commit",
                        "larder-map end",
                        "file commit",
                        "file end");
        assertThat(result.rows("rows")).allSatisfy(DatabaseExperimentTest::assertRow);
        assertThat(result.rows("generator")).hasSize(2);
        assertThat(result.rows("rows"))
                .filteredOn(row -> row.text("store").startsWith("larder"))
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.number("mix_50_ms")).isPositive());
        assertThat(result.part("summary").part("commit").part("insert").number("file_over_larder"))
                .isPositive();
        assertFolder(directory.resolve("result"));
    }

    /** The checks find a record that is acknowledged but not kept, even if nothing else is missing. */
    @Test
    @Tag(Effort.LONG)
    void voidsTheRunOfAStoreThatLosesWhatIsReplaced() {
        StoreKind lossy = new StoreKind("larder-map", "", () -> child(ForgettingChild.class));
        DatabaseOptions options = DatabaseOptionsTest.options("--seed 1");
        assertThat(run(new DatabaseExperiment(options, List.of(lossy)))).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(result().text("invalid_reason")).containsPattern("found record \\d+ of round 0 in its place");
    }

    private void assertFolder(Path folder) throws IOException, InterruptedException {
        assertThat(folder.resolve("data")).doesNotExist();
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("What a database adds to a log")
                .contains("a table of positions");
        for (String plot : List.of("database-insert.svg", "database-scan.svg", "database-query.svg")) {
            assertThat(folder.resolve(plot)).isRegularFile();
        }
        assertThat(ReportCheck.problemsIfInstalled(folder.resolve("report.html"), directory))
                .isEmpty();
    }

    @Test
    void failsWhereNoDatabaseWasThereToCompareWith() {
        FailCondition bar = FailCondition.parse("summary.commit.insert.fastest_database_over_larder<8");
        assertThat(run(experiment("larder"), bar)).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(said()).contains("has no value");
    }

    @Test
    void voidsTheRunOfAStoreThatLosesARecord() {
        StoreKind lossy = new StoreKind("larder", "", () -> child(LossyChild.class));
        DatabaseOptions options = DatabaseOptionsTest.options("--seed 1");
        assertThat(run(new DatabaseExperiment(options, List.of(lossy)))).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(result().flag("valid")).isFalse();
        assertThat(result().text("invalid_reason")).contains("found record 38 of round 0 in its place");
    }

    /** A child that has ended cannot be asked for the facts of its JVM. */
    @Test
    void keepsTheResultOfARunWhoseChildDies() {
        StoreKind dying = new StoreKind("larder", "", () -> child(DyingChild.class));
        DatabaseOptions options = DatabaseOptionsTest.options("--seed 1");
        assertThat(run(new DatabaseExperiment(options, List.of(dying)))).isEqualTo(LabRun.EXIT_INVALID);
        assertThat(result().text("invalid_reason")).contains("ended during 'insert'");
        assertThat(result().part("jvm").has("version")).isTrue();
    }

    private static List<String> child(Class<?> main) {
        String path = String.join(
                File.pathSeparator,
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path", ""),
                Path.of("target", "test-classes").toAbsolutePath().toString());
        List<String> command = new ArrayList<>(JavaProcess.start(64 << 20));
        command.addAll(List.of("-cp", path, main.getName()));
        return command;
    }

    @Test
    @Tag(Effort.LONG)
    void skipsPostgresWithTheReasonAndRefusesItWhenItWasAskedFor() {
        assertThatThrownBy(() -> experiment("larder", "postgres"))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("--stores postgres: name a server");
        assertThat(run(new DatabaseExperiment(
                        DatabaseOptionsTest.options("--records 1000 --durability end --writes 0"))))
                .as(said())
                .isEqualTo(LabRun.EXIT_OK);
        assertThat(result().rows("skipped"))
                .filteredOn(store -> store.text("store").equals("postgres"))
                .singleElement()
                .satisfies(store -> assertThat(store.text("reason")).contains("--postgres start"));
    }
}
