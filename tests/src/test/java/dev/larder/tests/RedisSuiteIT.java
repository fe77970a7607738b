package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.redis.SuiteCheck;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis' own tests against the server of the unpacked distribution; see {@code tests/redis}. */
@Tag(Effort.LONG)
class RedisSuiteIT {

    private static final Path LARDER = Path.of(System.getProperty("larder.distribution"), "bin", "larder");

    private static final Path SERVER = Path.of(System.getProperty("larder.distribution.server"));

    /** Units whose tests take seconds, a fifth of all that count; the long run has all units. */
    private static final List<String> QUICK = List.of(
            "unit/protocol", "unit/keyspace", "unit/scan", "unit/type/incr", "unit/type/string", "unit/bitfield");

    private SuiteCheck suite;

    @BeforeEach
    void needsTheSuite() throws Exception {
        Optional<String> missing = SuiteCheck.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        Optional<SuiteCheck> fetched = SuiteCheck.fetch(Path.of(System.getProperty("larder.root"), "tests", "redis"));
        assumeTrue(fetched.isPresent(), "the tests of Redis cannot be fetched");
        suite = fetched.orElseThrow();
    }

    @Test
    void shouldPassTheTestsThatCount() throws Exception {
        SuiteCheck.Findings findings = suite.larder("env LARDER_SERVER=" + SERVER + " " + LARDER + " serve", units());

        assertThat(findings.broken()).isEmpty();
        findings.mended().forEach(test -> System.out.println("no exception any more: " + test));
        assertThat(findings.passed()).isGreaterThan(findings.counted() / 2);
    }

    /** The control: the suite passes with redis-server, but fails with a server that counts wrongly. */
    @Test
    void shouldSeeAServerThatAnswersWrongly() throws Exception {
        assumeTrue(SuiteCheck.isInstalled("redis-server"), "there is no redis-server to judge the suite by");
        List<String> unit = List.of("unit/type/incr");

        assertThat(suite.redis(unit).broken()).isEmpty();
        assertThat(suite.forgedRedis("incr", unit).broken())
                .anyMatch(line -> line.startsWith("unit/type/incr | INCR against non existing key | failed"));
    }

    private static List<String> units() {
        return Effort.of(0, 0, 1) == 0 ? QUICK : SuiteCheck.units();
    }
}
