package dev.larder.tests.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The end of {@code .ci/run}: counts the tests of all modules, names the failed ones, and fails if a check was skipped that
 * this machine must run.
 */
public final class RunSummary {
    private static final Pattern SUITE = Pattern.compile("<testsuite\\s[^>]*>");
    private static final Pattern CASE =
            Pattern.compile("<testcase name=\"([^\"]*)\" classname=\"([^\"]*)\"[^>]*[^/]>\\s*"
                    + "<(?:failure|error)\\b(?:[^>]*?\\bmessage=\"([^\"]*)\")?[^>]*?(?:\\btype=\"([^\"]*)\")?");
    private static final int MODULE_DEPTH = 6;
    /** The most characters of a failed test's message that are printed. */
    private static final int MESSAGE_MAX_CHARACTERS = 400;
    /** The number of test classes that are named, the costliest in processor time. */
    private static final int COSTLY_CLASSES = 40;

    private final List<String> failed = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private long tests;
    private long failures;
    private long skipped;

    private RunSummary() {}

    /**
     * Prints the summary; exits with code 1 if it is not good.
     *
     * @param arguments the root of the build, its start in seconds since 1970, and a file of the reasons for which no check may
     * be skipped, one per line; {@code #} begins a comment
     */
    public static void main(String[] arguments) throws IOException {
        Instant start = Instant.ofEpochSecond(Long.parseLong(arguments[1]));
        RunSummary summary = of(Path.of(arguments[0]), start, Files.readAllLines(Path.of(arguments[2])));
        times(Path.of(arguments[0])).forEach(System.out::println);
        summary.lines().forEach(System.out::println);
        System.exit(summary.isGood() ? 0 : 1);
    }

    /** Returns the summary of the reports below a root that were written since a given time. */
    public static RunSummary of(Path root, Instant start, List<String> reasons) throws IOException {
        RunSummary summary = new RunSummary();
        summary.count(root, start);
        summary.require(SkippedChecksReport.lines(root, "target"), reasons);
        return summary;
    }

    /** Returns a line for each test that failed and each check that must not be skipped; the last line has the counts. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        failed.forEach(test -> lines.add("Failed: " + test));
        missing.forEach(check -> lines.add("Required, but skipped: " + check));
        lines.add(tests + " tests: " + (tests - failures - skipped) + " passed, " + failures + " failed, " + skipped
                + " skipped, " + missing.size() + " of them required.");
        return lines;
    }

    /** Returns whether there were tests, none failed, and no required check was skipped. */
    public boolean isGood() {
        return tests > 0 && failures == 0 && missing.isEmpty();
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
        CASE.matcher(report)
                .results()
                .forEach(test -> failed.add(test.group(2) + "." + test.group(1) + message(test.group(3))));
    }

    /** Returns the message of a failed test in one line. */
    private static String message(String attribute) {
        if (attribute == null) {
            return "";
        }
        String text = attribute
                .replaceAll("(&#(10|13|9);|\\s)+", " ")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&apos;", "'")
                .replace("&amp;", "&")
                .strip();
        return ": "
                + (text.length() <= MESSAGE_MAX_CHARACTERS ? text : text.substring(0, MESSAGE_MAX_CHARACTERS) + "...");
    }

    /** Returns a line for each test class that cost much processor time, the costliest first, and one for each module. */
    public static List<String> times(Path root) throws IOException {
        List<Cost> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root, MODULE_DEPTH)) {
            for (Path file : files.filter(RunSummary::isTimes).sorted().toList()) {
                Path module = root.relativize(file.getParent().getParent().getParent());
                for (String line : Files.readAllLines(file)) {
                    String[] fields = line.split(" ", -1);
                    classes.add(new Cost(
                            module + " " + fields[0] + " " + fields[1],
                            Long.parseLong(fields[2]),
                            Long.parseLong(fields[3])));
                }
            }
        }
        Map<String, Cost> modules = new TreeMap<>();
        classes.forEach(
                one -> modules.merge(one.module(), new Cost(one.module(), one.wall, one.processor), Cost::plus));
        List<String> lines = new ArrayList<>();
        lines.add("Seconds of the clock, seconds of processor time:");
        classes.stream()
                .sorted(Comparator.comparingLong(Cost::processor).reversed())
                .limit(COSTLY_CLASSES)
                .forEach(one -> lines.add(one.line()));
        modules.values().forEach(one -> lines.add(one.line()));
        return lines;
    }

    /** Returns whether a file holds times of {@link TestTimes}. */
    private static boolean isTimes(Path file) {
        Path directory = file.getParent();
        return directory != null
                && TestTimes.DIRECTORY.equals(String.valueOf(directory.getFileName()))
                && String.valueOf(file.getFileName()).endsWith(".txt");
    }

    /** The time that a class or module took, in milliseconds. */
    private record Cost(String name, long wall, long processor) {
        String module() {
            int end = name.indexOf(' ');
            return end < 0 ? name : name.substring(0, end);
        }

        Cost plus(Cost other) {
            return new Cost(name, wall + other.wall, processor + other.processor);
        }

        String line() {
            return String.format(Locale.ROOT, "%8.1f %8.1f %s", wall / 1000.0, processor / 1000.0, name);
        }
    }

    private static long number(String element, String name) {
        Matcher attribute = Pattern.compile("\\b" + name + "=\"(\\d+)\"").matcher(element);
        return attribute.find() ? Long.parseLong(attribute.group(1)) : 0;
    }

    /** Adds the checks that were skipped for a reason that this machine must not have: they are required. */
    private void require(List<String> skippedChecks, List<String> reasons) {
        skippedChecks.stream()
                .filter(check -> reasons.stream()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .anyMatch(check::contains))
                .forEach(missing::add);
    }
}
