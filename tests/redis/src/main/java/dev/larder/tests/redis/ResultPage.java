package dev.larder.tests.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** The page {@code docs/results/redis-suite}: how many of the tests that count pass, per unit, beside the reference. */
final class ResultPage {

    private static final double WANTED = 0.99;

    private final TestList tests;
    private final TestList exceptions;
    private final Map<TestName, String> larder;
    private final Map<TestName, String> reference;

    /** A page from two files of results, by test: {@code ok}, or how it failed. */
    ResultPage(TestList tests, TestList exceptions, TestList larder, TestList reference) {
        this.tests = tests;
        this.exceptions = exceptions;
        this.larder = larder.all();
        this.reference = reference.all();
    }

    /** Returns the lines of the page. */
    List<String> lines(String date) {
        List<TestName> counted =
                tests.all().keySet().stream().filter(tests::counts).toList();
        long passed = counted.stream().filter(passes(larder)).count();
        List<String> lines = new ArrayList<>(List.of(
                "# Results: the tests of Redis",
                "",
                "Redis' own tests, version 7.0.15, run against Larder's server in the place of `src/redis-server`. A"
                        + " test",
                "counts if Larder offers every command that it sends: [the list](../../../tests/redis/tests.txt) was"
                        + " recorded",
                "while redis-server ran the suite, and committed before the first run against Larder. The run is of "
                        + date + ".",
                "",
                "| | wanted | measured | |",
                "| --- | ---: | ---: | --- |",
                String.format(
                        Locale.ROOT,
                        "| tests that count and pass | >= 99 %% | %s (%d of %d) | %s |",
                        percent(passed, counted.size()),
                        passed,
                        counted.size(),
                        passed >= WANTED * counted.size() ? "met" : "missed"),
                "",
                "## By unit",
                "",
                "Command: `tests/redis/suite run --results larder.txt`, for the reference with `--server redis`.",
                "",
                "| unit | tests | that count | Larder passes | redis-server 7.0.15 passes |",
                "| --- | ---: | ---: | ---: | ---: |"));
        for (String unit : tests.units()) {
            List<TestName> ofUnit = tests.of(unit);
            List<TestName> counts = ofUnit.stream().filter(tests::counts).toList();
            lines.add(String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %d | %d |",
                    unit.replaceFirst("unit/", ""),
                    ofUnit.size(),
                    counts.size(),
                    counts.stream().filter(passes(larder)).count(),
                    counts.stream().filter(passes(reference)).count()));
        }
        lines.addAll(List.of("", "## Tests that count and fail", "", "| unit | test | why |", "| --- | --- | --- |"));
        counted.stream()
                .filter(passes(larder).negate())
                .sorted(java.util.Comparator.comparing(TestName::toString))
                .forEach(test -> lines.add(String.format(
                        Locale.ROOT,
                        "| %s | %s | %s |",
                        test.unit().replaceFirst("unit/", ""),
                        test.label().replace("|", "\\|"),
                        exceptions.find(test).orElse("").replace("|", "\\|"))));
        return lines;
    }

    private static Predicate<TestName> passes(Map<TestName, String> results) {
        return test -> "ok".equals(results.get(test));
    }

    private static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.1f %%", 100.0 * part / Math.max(1, whole));
    }
}
