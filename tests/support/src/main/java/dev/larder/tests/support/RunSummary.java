package dev.larder.tests.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The end of {@code .ci/run}: counts the tests of all modules, names those that failed, and fails where a check that this
 * machine must run was skipped.
 */
public final class RunSummary {
    private static final Pattern SUITE = Pattern.compile("<testsuite\\s[^>]*>");
    private static final Pattern CASE =
            Pattern.compile("<testcase name=\"([^\"]*)\" classname=\"([^\"]*)\"[^>]*[^/]>\\s*<(failure|error)\\b");
    private static final int MODULE_DEPTH = 6;

    private final List<String> failed = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private long tests;
    private long failures;
    private long skipped;

    private RunSummary() {}

    /**
     * Prints the summary; ends with code 1 where tests failed, none ran, or a required check was skipped.
     *
     * @param arguments the root of the build, its start in seconds since 1970, and a file of reasons that count as
     *     failures
     */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        RunSummary summary = new RunSummary();
        summary.count(root, Instant.ofEpochSecond(Long.parseLong(arguments[1])));
        summary.require(SkippedChecksReport.lines(root, "target"), Files.readAllLines(Path.of(arguments[2])));
        summary.print();
        System.exit(summary.isGood() ? 0 : 1);
    }

    private void count(Path root, Instant start) throws IOException {
        try (Stream<Path> files = Files.walk(root, MODULE_DEPTH)) {
            List<Path> reports = files.filter(RunSummary::isReport).sorted().toList();
            for (Path report : reports) {
                if (Files.getLastModifiedTime(report).compareTo(FileTime.from(start)) >= 0) {
                    add(Files.readString(report));
                }
            }
        }
    }

    /** Returns whether a file is a report of Surefire or Failsafe, of a pass of one class. */
    private static boolean isReport(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.startsWith("TEST-")
                && name.endsWith(".xml")
                && String.valueOf(file.getParent().getFileName()).endsWith("-reports");
    }

    private void add(String report) {
        Matcher suite = SUITE.matcher(report);
        if (suite.find()) {
            tests += number(suite.group(), "tests");
            failures += number(suite.group(), "failures") + number(suite.group(), "errors");
            skipped += number(suite.group(), "skipped");
        }
        CASE.matcher(report).results().forEach(test -> failed.add(test.group(2) + "." + test.group(1)));
    }

    private static long number(String element, String name) {
        Matcher attribute = Pattern.compile("\\b" + name + "=\"(\\d+)\"").matcher(element);
        return attribute.find() ? Long.parseLong(attribute.group(1)) : 0;
    }

    /** A check that was skipped for a reason that this machine must not have was required. */
    private void require(List<String> skippedChecks, List<String> required) {
        skippedChecks.stream()
                .filter(check -> required.stream()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .anyMatch(check::contains))
                .forEach(missing::add);
    }

    private void print() {
        failed.forEach(test -> System.out.println("Failed: " + test));
        missing.forEach(check -> System.out.println("Required, but skipped: " + check));
        System.out.println(tests + " tests: " + (tests - failures - skipped) + " passed, " + failures + " failed, "
                + skipped + " skipped; " + missing.size() + " required checks were skipped.");
    }

    private boolean isGood() {
        return tests > 0 && failures == 0 && missing.isEmpty();
    }
}
