package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.RunSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The counts at the end of {@code .ci/run}. */
@Tag("any-storage")
class RunSummaryTest {
    private static final Instant START = Instant.ofEpochSecond(1_800_000_000);
    private static final String PASSED = """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="a.PassedTest" time="1" tests="3" errors="0" skipped="1" failures="0" flakes="0">
          <testcase name="works" classname="a.PassedTest" time="0.1"/>
        </testsuite>
        """;
    private static final String FAILED = """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="a.FailedTest" time="1" tests="2" errors="1" skipped="0" failures="0" flakes="0">
          <testcase name="works" classname="a.FailedTest" time="0.1"/>
          <testcase name="breaks" classname="a.FailedTest" time="0.1">
            <error message="no"/>
          </testcase>
        </testsuite>
        """;

    @TempDir
    Path root;

    private void report(String file, String text, Instant written) throws IOException {
        Path path = write(file, text);
        Files.setLastModifiedTime(path, FileTime.from(written));
    }

    private Path write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    @Test
    void countsWhatThisRunHasWritten() throws IOException {
        report("log/target/surefire-reports/TEST-a.PassedTest.xml", PASSED, START);
        report(
                "tests/concurrency/target/failsafe-reports/TEST-a.PassedTest-native-off.xml",
                PASSED,
                START.plusSeconds(1));
        report("map/target/surefire-reports/TEST-a.FailedTest.xml", FAILED, START.minusSeconds(1));
        RunSummary summary = RunSummary.of(root, START, List.of());
        assertThat(summary.isGood()).isTrue();
        assertThat(summary.lines()).containsExactly("6 tests: 4 passed, 0 failed, 2 skipped, 0 of them required.");
    }

    @Test
    void namesWhatFailed() throws IOException {
        report("log/target/surefire-reports/TEST-a.FailedTest.xml", FAILED, START);
        RunSummary summary = RunSummary.of(root, START, List.of());
        assertThat(summary.isGood()).isFalse();
        assertThat(summary.lines())
                .containsExactly(
                        "Failed: a.FailedTest.breaks: no",
                        "2 tests: 1 passed, 1 failed, 0 skipped, 0 of them required.");
    }

    @Test
    void failsWhereARequiredCheckWasSkipped() throws IOException {
        report("lab/target/surefire-reports/TEST-a.PassedTest.xml", PASSED, START);
        write("lab/target/skipped-checks/system.1.txt", "A > b(): there is no chromium to open a report in\n");
        assertThat(RunSummary.of(root, START, List.of("# no", "", "there is no redis"))
                        .isGood())
                .isTrue();
        RunSummary summary = RunSummary.of(root, START, List.of("there is no chromium"));
        assertThat(summary.isGood()).isFalse();
        assertThat(summary.lines())
                .startsWith("Required, but skipped: lab: A > b(): there is no chromium to open a report in");
    }

    @Test
    void saysWhatAFailedTestSaid() throws IOException {
        report(
                "log/target/surefire-reports/TEST-a.FailedTest.xml",
                FAILED.replace("\"no\"", "\"a &lt; b&#10;  is wrong\""),
                START);
        assertThat(RunSummary.of(root, START, List.of()).lines())
                .startsWith("Failed: a.FailedTest.breaks: a < b is wrong");
    }

    /** Runs the program as {@code .ci/run} does. */
    @Test
    void findsTimesBelowTheWorkingDirectory() throws IOException {
        assertThat(RunSummary.times(Path.of("."))).isNotEmpty();
    }

    @Test
    void namesTheCostliestClassesFirst() throws IOException {
        write("log/target/test-times/1.txt", "a.FastTest system 2000 100\na.SlowTest portable-strict 1000 1500\n");
        write("tests/redis/target/test-times/2.txt", "a.OtherTest system 100 50\n");
        assertThat(RunSummary.times(root))
                .containsExactly(
                        "Seconds of the clock, seconds of processor time:",
                        "     1.0      1.5 log a.SlowTest portable-strict",
                        "     2.0      0.1 log a.FastTest system",
                        "     0.1      0.1 tests/redis a.OtherTest system",
                        "     3.0      1.6 log",
                        "     0.1      0.1 tests/redis");
    }

    @Test
    void failsWhereNothingRan() throws IOException {
        assertThat(RunSummary.of(root, START, List.of()).isGood()).isFalse();
    }
}
