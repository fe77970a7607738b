package dev.larder.tests.redis;

import dev.larder.tests.redis.TestResult.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs one unit until each of its tests has a result. If a test hangs or its server dies, the unit runs again without it. Tests
 * whose servers had ended normally before are not repeated.
 */
final class UnitRun {

    private static final int ATTEMPTS_MAX = 40;
    private static final String NOT_STARTED = "Can't start the Redis server";

    /** Gets the test that runs now, so that its requests can be assigned to it. */
    interface Listener {
        /** A server started. */
        void serverStarted();

        /** The server that was started last has ended. */
        void serverEnded();

        /** Gets the tests that run now, the outermost first; none between tests. */
        void running(Collection<TestName> tests);
    }

    /** Starts the part of the suite that runs units. */
    interface Starter {
        SuiteClient start(List<String> options) throws IOException;
    }

    private enum End {
        DONE,
        AGAIN,
        STUCK
    }

    private final String unit;
    private final Path folder;
    private final Duration patience;
    private final Starter starter;
    private final Listener listener;
    private final boolean answering;

    private final Map<TestName, TestResult> results = new LinkedHashMap<>();

    /** The suite's own names of the tests. */
    private final Map<TestName, String> suiteNames = new HashMap<>();

    private final Set<String> broken = new LinkedHashSet<>();
    private final Set<String> settled = new LinkedHashSet<>();
    private final List<String> errorsBetween = new ArrayList<>();

    // state of one attempt
    private final Map<String, Integer> occurrences = new HashMap<>();
    private final Deque<Running> running = new ArrayDeque<>();
    private final Set<Long> servers = new HashSet<>();
    private Optional<TestName> lastFailed = Optional.empty();

    private static final class Running {
        final TestName test;
        final long since = System.nanoTime();
        Optional<String> failure = Optional.empty();

        Running(TestName test) {
            this.test = test;
        }

        TestResult ended(Outcome outcome, String message) {
            return new TestResult(test, outcome, message, (System.nanoTime() - since) / 1_000_000);
        }
    }

    /**
     * A run.
     *
     * @param folder the suite's, see {@link SuiteFolder}
     * @param patience how long the suite may print nothing
     * @param answering whether the suite waits for an answer to each event
     */
    UnitRun(String unit, Path folder, Duration patience, Starter starter, Listener listener, boolean answering) {
        this.unit = unit;
        this.folder = folder;
        this.patience = patience;
        this.starter = starter;
        this.listener = listener;
        this.answering = answering;
    }

    /**
     * Runs the unit with options of the suite, without some tests; returns the tests' results in the order in which they ended.
     */
    List<TestResult> run(List<String> options, Set<String> leftOut) throws IOException {
        broken.addAll(leftOut);
        End end = End.AGAIN;
        for (int attempt = 0; attempt < ATTEMPTS_MAX && end == End.AGAIN; attempt++) {
            end = attempt(options);
        }
        return List.copyOf(results.values());
    }

    /** Returns the failures between tests. The tests after such a failure in the same block did not run. */
    List<String> errorsBetween() {
        return List.copyOf(errorsBetween);
    }

    private End attempt(List<String> options) throws IOException {
        errorsBetween.clear();
        occurrences.clear();
        running.clear();
        servers.clear();
        lastFailed = Optional.empty();
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("--skipfile", skipFile().toString()));
        try (SuiteClient client = starter.start(all)) {
            while (true) {
                Optional<SuiteEvent> event = client.next(patience);
                if (event.isEmpty()) {
                    return silent(client);
                }
                Optional<End> end = handle(event.get());
                if (end.isPresent()) {
                    return end.get();
                }
                if (answering) {
                    client.answer();
                }
                if (event.get().kind().equals("ready")) {
                    client.run(unit);
                }
            }
        }
    }

    /** Writes the file of tests to skip, without names that begin with a slash: such a line would be a pattern. */
    private Path skipFile() throws IOException {
        Set<String> skipped = new LinkedHashSet<>(settled);
        skipped.addAll(broken);
        skipped.removeIf(name -> name.startsWith("/") || name.contains("\n"));
        return Files.write(folder.resolve("skipped"), skipped, StandardCharsets.ISO_8859_1);
    }

    private End silent(SuiteClient client) {
        String what =
                client.hasEnded() ? "the suite ended" : "the suite said nothing for " + patience.toSeconds() + " s";
        if (running.isEmpty()) {
            if (diedBehindAFailure()) {
                return End.AGAIN;
            }
            errorsBetween.add(what + " between tests");
            return End.STUCK;
        }
        Running outer = running.getFirst();
        results.put(outer.test, outer.ended(isServerGone() ? Outcome.DIED : Outcome.HUNG, what));
        return skipNextTime(outer.test);
    }

    private End skipNextTime(TestName test) {
        return broken.add(suiteName(test)) ? End.AGAIN : End.STUCK;
    }

    private Optional<End> handle(SuiteEvent event) {
        switch (event.kind()) {
            case "testing" -> {
                if (running.isEmpty() && diedBehindAFailure()) {
                    return Optional.of(End.AGAIN);
                }
                running.addLast(new Running(next(event.text())));
                tellRunning();
            }
            case "ok" -> end(running.removeLast());
            case "skip" -> next(event.text());
            case "ignore" -> ignore(event.text());
            case "err" -> {
                if (fail(event.text()) && diedBehindAFailure()) {
                    return Optional.of(End.AGAIN);
                }
            }
            case "exception" -> {
                errorsBetween.add(event.text());
                return Optional.of(running.isEmpty() ? End.STUCK : endOfSuite(event.text()));
            }
            case "done" -> {
                return Optional.of(End.DONE);
            }
            case "server-spawned" -> spawned(Long.parseLong(event.text().trim()));
            case "server-killed" -> killed(Long.parseLong(event.text().trim()));
            default -> {}
        }
        return Optional.empty();
    }

    private End endOfSuite(String message) {
        Running outer = running.getFirst();
        results.put(outer.test, outer.ended(Outcome.FAILED, message));
        return skipNextTime(outer.test);
    }

    private TestName next(String name) {
        TestName test = new TestName(unit, name, occurrences.merge(name, 1, Integer::sum));
        suiteNames.put(test, name);
        return test;
    }

    private String suiteName(TestName test) {
        return suiteNames.getOrDefault(test, test.name());
    }

    private void ignore(String text) {
        int reason = text.lastIndexOf(": ");
        if (reason > 0) {
            TestName test = next(text.substring(0, reason));
            results.putIfAbsent(test, new TestResult(test, Outcome.IGNORED, text.substring(reason + 2), 0));
        }
    }

    private void end(Running test) {
        keep(test.failure
                .map(message -> test.ended(Outcome.FAILED, message))
                .orElseGet(() -> test.ended(Outcome.OK, "")));
        tellRunning();
    }

    /** Keeps the first result of each test. */
    private void keep(TestResult result) {
        results.putIfAbsent(result.test(), result);
        lastFailed = result.isOk() ? Optional.empty() : Optional.of(result.test());
    }

    /**
     * Records an error for the test whose name it begins with, otherwise for the running test. Returns whether no test has it.
     */
    private boolean fail(String text) {
        if (running.isEmpty()) {
            errorsBetween.add(text.startsWith(NOT_STARTED) ? NOT_STARTED + ": " + withoutConfiguration(text) : text);
            return true;
        }
        Running inner = running.getLast();
        if (text.startsWith(suiteName(inner.test) + " in ")) {
            running.removeLast();
            int message = text.indexOf('\n');
            keep(inner.ended(Outcome.FAILED, message < 0 ? text : whole(text.substring(message + 1))));
            tellRunning();
        } else {
            inner.failure = Optional.of(text);
        }
        return false;
    }

    private static String withoutConfiguration(String text) {
        int error = text.lastIndexOf("\nERROR:");
        return error < 0 ? text : text.substring(error + 1);
    }

    /**
     * Returns the whole message: the suite cuts off the start of an error that is no assertion, and repeats it whole in a stack
     * trace.
     */
    private static String whole(String message) {
        int end = message.indexOf('\n');
        String cut = end < 0 ? "" : message.substring(0, end);
        int again = cut.isEmpty() ? -1 : message.indexOf(cut, end);
        return again < 0 ? message : message.substring(message.lastIndexOf('\n', again) + 1);
    }

    private void tellRunning() {
        listener.running(running.stream().map(test -> test.test).toList());
    }

    private void spawned(long server) {
        servers.add(server);
        listener.serverStarted();
    }

    private void killed(long server) {
        servers.remove(server);
        listener.serverEnded();
        if (servers.isEmpty() && running.isEmpty()) {
            results.keySet().stream()
                    .map(this::suiteName)
                    .filter(name -> occurrences.getOrDefault(name, 0) == 1)
                    .forEach(settled::add);
        }
    }

    private boolean isServerGone() {
        return servers.stream().anyMatch(UnitRun::isGone);
    }

    /** Returns whether a process has ended. A process whose end Tcl has not collected yet is in state Z. */
    private static boolean isGone(long process) {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(process), "stat"));
            return status.charAt(status.lastIndexOf(')') + 2) == 'Z';
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns whether the last test failed and its server is gone; from then on the test is skipped. */
    private boolean diedBehindAFailure() {
        if (lastFailed.isEmpty() || !isServerGone()) {
            return false;
        }
        TestName test = lastFailed.get();
        TestResult failed = results.get(test);
        if (failed == null || !broken.add(suiteName(test))) {
            return false;
        }
        results.put(test, new TestResult(test, Outcome.DIED, failed.message(), failed.millis()));
        return true;
    }
}
