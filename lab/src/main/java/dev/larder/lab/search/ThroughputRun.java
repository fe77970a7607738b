package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.run.Finished;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Searches one after the other, without a network: a round with a process for each candidate, then the same again, and so
 * on. Each round begins with another candidate, so that none is always the one after a certain other.
 */
final class ThroughputRun {

    private final SearchConditions conditions;
    private final RunContext context;
    private final int forks;
    private final Finished finished;
    private final Answers answers = new Answers();
    private final List<Figures> rows = new ArrayList<>();
    private final Map<SearchCandidate, Figures> left = new LinkedHashMap<>();
    private int done;

    ThroughputRun(SearchConditions conditions, int forks) {
        this.conditions = conditions;
        this.forks = forks;
        context = conditions.context();
        finished = new Finished(context.folder(), context.finished());
    }

    /**
     * All candidates are alive together where the machine has the memory for it, else one after the other.
     *
     * @param figures get {@code throughput} and {@code forks}
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

    private List<Figures> measure(List<SearchCandidate> candidates, int fork) {
        try (ForkRound round = new ForkRound(fork, conditions, this::failed)) {
            candidates.forEach(candidate -> round.start(candidate, answers));
            List<Figures> samples = round.measure();
            samples.forEach(finished::add);
            return samples;
        }
    }

    /** A candidate that cannot be served is asked once. */
    private void failed(SearchCandidate candidate, LarderException e) {
        if (!context.interruption().isInterrupted()) {
            left.put(candidate, conditions.notMeasured(candidate, e));
        }
    }
}
