package dev.larder.tests.redis;

import dev.larder.tests.redis.TestResult.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * A run of units of the suite against a program.
 *
 * @param suite the folder of the suite
 * @param home this module's folder, which has the programs that stand in for {@code redis-server}
 * @param server the name of one of them: {@code redis} or {@code larder}
 * @param variables environment variables of the program
 * @param options further options of the suite
 * @param tests the list that names the tests to leave out: tests that do not count would spoil later ones. Empty for none
 * @param patience how long the suite may print nothing before a test counts as hung
 * @param kept whether the folder of the run stays
 */
record SuiteRun(
        Path suite,
        Path home,
        String server,
        Map<String, String> variables,
        List<String> options,
        TestList tests,
        Duration patience,
        boolean kept) {

    private static final int PORT_MIN = 20_000;
    private static final int PORT_MAX = 28_000;

    /** Runs units, and returns the results of all tests that ran, in order. */
    List<TestResult> run(List<String> units, Consumer<TestResult> each) throws IOException {
        return run(units, each, Optional.empty());
    }

    /** Runs units through a recorder. */
    List<TestResult> record(List<String> units, Consumer<TestResult> each, CommandLog log, Recorder.Forger forger)
            throws IOException {
        return run(units, each, Optional.of(new Recording(log, forger)));
    }

    private record Recording(CommandLog log, Recorder.Forger forger) {}

    private static final UnitRun.Listener NO_LISTENER = new UnitRun.Listener() {
        @Override
        public void serverStarted() {}

        @Override
        public void serverEnded() {}

        @Override
        public void running(java.util.Collection<TestName> tests) {}
    };

    private List<TestResult> run(List<String> units, Consumer<TestResult> each, Optional<Recording> recording)
            throws IOException {
        List<TestResult> all = new ArrayList<>();
        try (SuiteFolder folder = SuiteFolder.of(suite, home.resolve("servers").resolve(server), kept)) {
            for (String unit : units) {
                List<TestResult> results = runUnit(unit, folder.root(), recording);
                results.forEach(each);
                all.addAll(results);
            }
        }
        return all;
    }

    private List<TestResult> runUnit(String unit, Path folder, Optional<Recording> recording) throws IOException {
        try (Reactor reactor = new Reactor()) {
            Map<String, String> environment = new HashMap<>(variables);
            String script = "tests/test_helper.tcl";
            if (recording.isPresent()) {
                Recording what = recording.get();
                Recorder recorder = new Recorder(reactor, what.log()::add, what.forger());
                environment.put("LARDER_SUITE_RECORDER", "" + recorder.port());
                script = home.resolve("servers/recording.tcl").toAbsolutePath().toString();
            }
            String chosen = script;
            UnitRun run = new UnitRun(
                    unit,
                    folder,
                    patience,
                    more -> new SuiteClient(reactor, folder, chosen, more, basePort(), environment),
                    recording.<UnitRun.Listener>map(Recording::log).orElse(NO_LISTENER),
                    recording.isPresent());
            List<TestResult> results = new ArrayList<>(run.run(options, tests.namesThatDoNotCount(unit)));
            run.errorsBetween().stream()
                    .map(message -> new TestResult(new TestName(unit, BETWEEN, 1), Outcome.FAILED, message, 0))
                    .forEach(results::add);
            return results;
        }
    }

    /** The name under which failures between tests are listed. */
    static final String BETWEEN = "(between tests)";

    private static int basePort() {
        return ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
    }
}
