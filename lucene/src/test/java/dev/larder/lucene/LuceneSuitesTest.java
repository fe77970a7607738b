package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.SkippedPart;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Lucene's suites for directories and locks, which use JUnit 4, with seeds of ours. */
@Tag("any-storage")
class LuceneSuitesTest {

    private static final String SEED = "tests.seed";
    private static final int SEEDS = Effort.of(1, 2, 20);
    private static final int LEAST_TESTS = 6;

    @TestFactory
    Stream<DynamicTest> shouldPassEverySuite() {
        return Stream.of(SuiteDirectory.class.getClasses())
                .flatMap(suite -> Stream.iterate(1, seed -> seed + 1)
                        .limit(SEEDS)
                        .map(seed -> DynamicTest.dynamicTest(
                                suite.getSimpleName() + ", seed " + seed,
                                () -> run(suite, Integer.toHexString(seed)))));
    }

    private static void run(Class<?> suite, String seed) {
        System.setProperty(SEED, seed);
        try {
            JUnitCore core = new JUnitCore();
            core.addListener(new Reporting(suite, seed));
            Result result = core.run(suite);
            assertThat(result.getFailures()).isEmpty();
            assertThat(result.getRunCount()).isGreaterThanOrEqualTo(LEAST_TESTS);
        } finally {
            System.clearProperty(SEED);
        }
    }

    /** Lists a suite's tests whose assumption failed, at the end of the build: JUnit 4 counts them as passed. */
    private static final class Reporting extends RunListener {

        private final String run;

        Reporting(Class<?> suite, String seed) {
            this.run = "LuceneSuitesTest > " + suite.getSimpleName() + ", seed " + seed + " > ";
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            SkippedPart.note(run + failure.getDescription().getMethodName(), failure.getMessage());
        }
    }
}
