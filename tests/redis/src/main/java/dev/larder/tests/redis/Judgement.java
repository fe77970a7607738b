package dev.larder.tests.redis;

import dev.larder.tests.redis.TestResult.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The verdict on results, by the list of the tests that count. */
final class Judgement {

    private final TestList list;

    Judgement(TestList list) {
        this.list = list;
    }

    /** Adds to a unit's results the tests that count but that the suite did not reach. */
    List<TestResult> complete(String unit, List<TestResult> results) {
        Set<TestName> seen = results.stream().map(TestResult::test).collect(Collectors.toCollection(HashSet::new));
        String why = results.stream().anyMatch(Judgement::isBetween)
                ? "the suite failed between tests before it"
                : "no test of this name ran";
        List<TestResult> all = new ArrayList<>(results);
        list.of(unit).stream()
                .filter(test -> list.counts(test) && !seen.contains(test))
                .map(test -> new TestResult(test, Outcome.NOT_REACHED, why, 0))
                .forEach(all::add);
        return all;
    }

    private static boolean isBetween(TestResult result) {
        return result.test().name().equals(SuiteRun.BETWEEN);
    }

    /** Returns whether a result belongs to a test that counts, or to the time between tests. */
    boolean matters(TestResult result) {
        return isBetween(result) || counts(result);
    }

    /** Returns whether a result belongs to a test that counts. */
    boolean counts(TestResult result) {
        return list.counts(result.test());
    }

    /** Returns the counts of some results in a line. */
    String summary(List<TestResult> results) {
        long counted = results.stream().filter(this::counts).count();
        long passed =
                results.stream().filter(this::counts).filter(TestResult::isOk).count();
        long ran = results.stream().filter(result -> !isBetween(result)).count();
        long ok = results.stream().filter(TestResult::isOk).count();
        return String.format(Locale.ROOT, "%d of %d tests that count passed; of all %d, %d", passed, counted, ran, ok);
    }
}
