package dev.larder.tests.redis;

import dev.larder.resp.Request;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The commands that each test needs: those that were sent while it ran, and those that were sent between earlier tests of the
 * same block, which is the life of a server. Names are those of {@code COMMAND LIST}: {@code get}, {@code client|id}.
 */
final class CommandLog implements UnitRun.Listener {

    private static final Set<String> REPLICATION = Set.of("replicaof", "slaveof");

    private final Set<String> known;
    private final Map<TestName, Set<String>> commands = new LinkedHashMap<>();

    /** The commands that were sent between tests, one set per nested running server; the last set is of the innermost block. */
    private final Deque<Set<String>> between = new ArrayDeque<>();

    private List<TestName> running = List.of();

    /**
     * A log.
     *
     * @param known the commands of the reference server; others are recorded as they are
     */
    CommandLog(Set<String> known) {
        this.known = known;
    }

    @Override
    public void serverStarted() {
        between.addLast(new TreeSet<>(sentBetween()));
    }

    @Override
    public void serverEnded() {
        between.pollLast();
    }

    private Set<String> sentBetween() {
        return between.isEmpty() ? new TreeSet<>() : between.getLast();
    }

    @Override
    public void running(Collection<TestName> tests) {
        running = List.copyOf(tests);
        for (TestName test : running) {
            commands.computeIfAbsent(test, name -> new TreeSet<>(sentBetween()));
        }
    }

    /** Records a request. */
    void add(Request request) {
        String name = nameOf(request);
        if (running.isEmpty()) {
            sentBetween().add(name);
        }
        if (REPLICATION.contains(name)) {
            replicate(name, request);
        }
        for (TestName test : running) {
            commands.getOrDefault(test, new TreeSet<>()).add(name);
        }
    }

    /** Records a change of replication: a server that became a replica in one test is one in the block's next tests. */
    private void replicate(String name, Request request) {
        if (request.count() == 3 && request.is(1, "no") && request.is(2, "one")) {
            sentBetween().removeAll(REPLICATION);
        } else {
            sentBetween().add(name);
        }
    }

    private String nameOf(Request request) {
        String name = request.text(0).toLowerCase(Locale.ROOT);
        if (request.count() > 1) {
            String subcommand = name + "|" + request.text(1).toLowerCase(Locale.ROOT);
            if (known.contains(subcommand)) {
                return subcommand;
            }
        }
        return name;
    }

    /** Returns the commands that a test sent, or needed before. */
    Set<String> of(TestName test) {
        return commands.getOrDefault(test, Set.of());
    }
}
