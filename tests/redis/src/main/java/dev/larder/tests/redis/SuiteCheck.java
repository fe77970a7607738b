package dev.larder.tests.redis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The build's question to the suite: whether all counting tests pass, except those whose failure has a written reason. */
public final class SuiteCheck {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path home;
    private final Path suite;
    private final TestList tests;
    private final TestList exceptions;

    /**
     * The result of a run.
     *
     * @param counted how many tests count
     * @param passed how many of them passed
     * @param broken tests that failed without a reason in {@code exceptions.txt}, with the suite's messages
     * @param mended tests that passed although they have a reason to fail there
     */
    public record Findings(int counted, int passed, List<String> broken, List<String> mended) {
        /** Copies the lists. */
        public Findings {
            broken = List.copyOf(broken);
            mended = List.copyOf(mended);
        }
    }

    private SuiteCheck(Path home, Path suite) throws IOException {
        this.home = home;
        this.suite = suite;
        tests = TestList.read(home.resolve("tests.txt"));
        exceptions = TestList.read(home.resolve("exceptions.txt"));
    }

    /** Returns what this machine lacks to run the suite; empty if it lacks nothing. */
    public static Optional<String> missing() {
        return List.of("tclsh", "bash").stream()
                .filter(program -> SuiteFolder.installed(program).isEmpty())
                .findFirst()
                .map(program -> "there is no " + program + " to run the tests of Redis with");
    }

    /** Returns the units by which Larder is measured. */
    public static List<String> units() {
        return RedisSuite.UNITS;
    }

    /** Returns whether a program is on the path. */
    public static boolean isInstalled(String program) {
        return SuiteFolder.installed(program).isPresent();
    }

    /**
     * Fetches the suite, unless it was fetched before.
     *
     * @param home the folder {@code tests/redis}
     * @return empty if this machine cannot fetch it
     */
    public static Optional<SuiteCheck> fetch(Path home) throws IOException, InterruptedException {
        Optional<Path> suite = SuiteFolder.fetch(home);
        return suite.isEmpty() ? Optional.empty() : Optional.of(new SuiteCheck(home, suite.get()));
    }

    /**
     * Runs units against Larder\'s server.
     *
     * @param command the command that starts it, with spaces between its words
     */
    public Findings larder(String command, List<String> units) throws IOException {
        return judge(run("larder", SuiteFolder.environmentOf(command)).run(units, result -> {}), units);
    }

    /** Runs units against the installed {@code redis-server}. */
    public Findings redis(List<String> units) throws IOException {
        return judge(run("redis", Map.of()).run(units, result -> {}), units);
    }

    /** As {@link #redis}, but integer replies below 10 of one command are changed: the suite must notice. */
    public Findings forgedRedis(String command, List<String> units) throws IOException {
        List<TestResult> results = run("redis", Map.of())
                .record(units, result -> {}, new CommandLog(Set.of()), (last, reply) -> {
                    if (last.equalsIgnoreCase(command)) {
                        forge(reply);
                    }
                });
        return judge(results, units);
    }

    private static void forge(ByteBuffer reply) {
        int start = reply.position();
        String text = StandardCharsets.ISO_8859_1.decode(reply.duplicate()).toString();
        if (text.matches(":[0-9]\r\n")) {
            reply.put(start + 1, (byte) ('0' + (text.charAt(1) - '0' + 1) % 10));
        }
    }

    private SuiteRun run(String server, Map<String, String> variables) {
        return new SuiteRun(suite, home, server, variables, List.of(), tests, PATIENCE, false);
    }

    private Findings judge(List<TestResult> results, List<String> units) {
        Judgement judgement = new Judgement(tests);
        List<String> broken = new ArrayList<>();
        List<String> mended = new ArrayList<>();
        int counted = 0;
        int passed = 0;
        for (String unit : units) {
            List<TestResult> ofUnit = results.stream()
                    .filter(result -> result.test().unit().equals(unit))
                    .toList();
            for (TestResult result : judgement.complete(unit, ofUnit)) {
                if (judgement.counts(result)) {
                    boolean excepted = exceptions.contains(result.test());
                    counted++;
                    passed += result.isOk() ? 1 : 0;
                    if (!result.isOk() && !excepted) {
                        broken.add(result.toString());
                    } else if (result.isOk() && excepted) {
                        mended.add(result.test().toString());
                    }
                }
            }
        }
        return new Findings(counted, passed, broken, mended);
    }
}
