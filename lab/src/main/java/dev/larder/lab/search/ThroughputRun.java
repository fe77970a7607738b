package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.run.Finished;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Searches one after the other, without a network, in rounds with a process for each candidate. Each round begins with
 * another candidate, so that none always follows the same one. The processes of a round are alive together and search in
 * turns of a second:
 *
 * <pre>
 *  mmap    |--open--|      |warm|      |--|  |--|  |--|      |finish|
 *  larder         |--open--|    |warm|    |--|  |--|  |--|          |finish|
 *                                      turns
 * </pre>
 *
 * Disturbances by a machine's neighbours last for seconds, and slow a process by a third. Turns spread them over all.
 */
final class ThroughputRun {

    private static final double TURN_SECONDS = 1;

    private final SearchConditions conditions;
    private final RunContext context;
    private final int forks;
    private final Finished finished;
    private final Answers answers = new Answers();
    private final List<Figures> rows = new ArrayList<>();
    private final Map<SearchCandidate, Figures> left = new LinkedHashMap<>();
    private final Map<SearchCandidate, SearchServer> servers = new LinkedHashMap<>();
    private int done;

    ThroughputRun(SearchConditions conditions, int forks) {
        this.conditions = conditions;
        this.forks = forks;
        context = conditions.context();
        finished = new Finished(context.folder(), context.finished());
    }

    /**
     * Runs all candidates together if the machine has the memory for it, else one after the other.
     *
     * @param figures receive {@code throughput} and {@code forks}
     * @return a row for each candidate that could not be measured
     */
    Collection<Figures> run(List<SearchCandidate> candidates, Figures figures) {
        boolean together = fitTogether(candidates);
        for (int fork = 0; fork < forks && !context.interruption().isInterrupted(); fork++) {
            List<SearchCandidate> turned = new ArrayList<>(candidates);
            Collections.rotate(turned, -fork);
            turned.removeAll(left.keySet());
            List<List<SearchCandidate>> parts =
                    together ? List.of(turned) : turned.stream().map(List::of).toList();
            for (List<SearchCandidate> part : parts) {
                round(part, fork, forks * candidates.size());
            }
        }
        figures.put(
                        "throughput",
                        new ThroughputSummary(rows, conditions.options().seed()).rows())
                .put("forks", rows);
        return left.values();
    }

    private boolean fitTogether(List<SearchCandidate> candidates) {
        long taken = candidates.stream()
                .mapToLong(candidate -> candidate.takenBytes(conditions.files().bytes()))
                .sum();
        Long available = Machine.availableBytes();
        long room = available == null
                ? Long.MAX_VALUE
                : available + conditions.memory().heldBytes();
        return taken + conditions.files().bytes() + SearchCandidate.BESIDE_BYTES <= room;
    }

    private void round(List<SearchCandidate> candidates, int fork, int all) {
        if (context.interruption().isInterrupted() || candidates.isEmpty()) {
            return;
        }
        List<Figures> samples = candidates.stream()
                .flatMap(candidate -> finished.find(candidate.sample("fork").put("fork", fork)).stream())
                .toList();
        rows.addAll(samples.size() < candidates.size() ? measure(candidates, fork) : samples);
        done += candidates.size();
        String others = candidates.size() == 1 ? "" : " and " + (candidates.size() - 1) + " more";
        context.progress().step(done, all, candidates.getFirst().title() + others + ", fork " + (fork + 1));
    }

    /** Returns a sample of each server that finished. */
    private List<Figures> measure(List<SearchCandidate> candidates, int fork) {
        SearchOptions.Loads forked = conditions.options().loads();
        double turn = Math.min(TURN_SECONDS, forked.seconds());
        try {
            candidates.forEach(this::start);
            SequentialRead.warm(conditions.files().directory()); // a loading server drops the cached pages
            each((candidate, server) -> server.ask("warm-up", settings(forked.warmUpSeconds(), fork)));
            for (int turns = (int) Math.ceil(forked.seconds() / turn); turns > 0; turns--) {
                each((candidate, server) -> server.ask("turn", settings(turn, fork)));
            }
            List<Figures> samples = each((candidate, server) -> sample(candidate, server, fork));
            samples.forEach(finished::add);
            return samples;
        } finally {
            servers.values().forEach(SearchServer::close);
            servers.clear();
        }
    }

    /** Starts a server, and checks its answer to every task. */
    private void start(SearchCandidate candidate) {
        try {
            SearchServer server = SearchServer.start(candidate, conditions);
            servers.put(candidate, server);
            server.check(answers);
        } catch (LarderException e) {
            leave(candidate, e);
        }
    }

    /** Removes a candidate that cannot be served, or fails, from this round and all others. */
    private void leave(SearchCandidate candidate, LarderException why) {
        SearchServer server = servers.remove(candidate);
        if (server != null) {
            server.close();
        }
        if (!context.interruption().isInterrupted()) {
            left.put(candidate, RunRows.notMeasured(context.progress(), candidate.title(), candidate.figures(), why));
        }
    }

    private List<Figures> each(BiFunction<SearchCandidate, SearchServer, Figures> question) {
        List<Figures> told = new ArrayList<>();
        for (Map.Entry<SearchCandidate, SearchServer> seat : List.copyOf(servers.entrySet())) {
            try {
                told.add(question.apply(seat.getKey(), seat.getValue()));
            } catch (LarderException e) {
                leave(seat.getKey(), e);
            }
        }
        return told;
    }

    private Figures settings(double seconds, int fork) {
        return new Figures()
                .put("seconds", seconds)
                .put("seed", conditions.options().seed() + fork);
    }

    private Figures sample(SearchCandidate candidate, SearchServer server, int fork) {
        Figures measured = server.ask("finish", new Figures());
        return candidate
                .figures()
                .put("sample", "fork")
                .put("fork", fork)
                .put("beside", servers.size() - 1)
                .put("index_bytes", conditions.files().bytes())
                .put("index_cached_bytes", server.cachedBytes())
                .put("load_ms", server.opened().get("load_ms"))
                .put("first_query_ms", server.opened().get("first_query_ms"))
                .putAll(measured)
                .put("valid", true);
    }
}
