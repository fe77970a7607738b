package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.machine.WarmMemory;
import dev.larder.lab.run.Finished;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Searches one after the other, without a network: a round with a process for each candidate, then the same again, and so
 * on. Each round begins with another candidate, so that none is always the one after a certain other.
 */
final class ThroughputRun {

    private final SearchOptions options;
    private final SearchOptions.Forks forks;
    private final SearchFiles files;
    private final WarmMemory memory;
    private final Class<?> main;
    private final RunContext context;
    private final Finished finished;
    private final Answers answers = new Answers();
    private final List<Figures> rows = new ArrayList<>();
    private final List<Figures> notMeasured = new ArrayList<>();
    private final Set<SearchCandidate> left = new LinkedHashSet<>();
    private int done;
    private int all;

    ThroughputRun(
            SearchOptions options,
            SearchOptions.Forks forks,
            SearchFiles files,
            WarmMemory memory,
            Class<?> main,
            RunContext context) {
        this.options = options;
        this.forks = forks;
        this.files = files;
        this.memory = memory;
        this.main = main;
        this.context = context;
        finished = new Finished(context.folder(), context.finished());
    }

    /** Returns its part of the result, as far as it has come. */
    Figures figures() {
        return new Figures()
                .put("throughput", new ThroughputSummary(rows, options.seed()).rows())
                .put("forks", rows)
                .put("runs", notMeasured);
    }

    /** Returns the forks, and what could not be measured. */
    List<Figures> rows() {
        List<Figures> all = new ArrayList<>(rows);
        all.addAll(notMeasured);
        return all;
    }

    /** All candidates are alive together where the machine has the memory for it, else one after the other. */
    void run(List<SearchCandidate> candidates) {
        all = candidates.size();
        boolean together = fitTogether(candidates);
        for (int fork = 0; fork < forks.count() && !context.interruption().isInterrupted(); fork++) {
            List<SearchCandidate> turned = new ArrayList<>(candidates);
            Collections.rotate(turned, -fork);
            turned.removeAll(left);
            if (together) {
                round(turned, fork);
            } else {
                for (SearchCandidate candidate : turned) {
                    round(List.of(candidate), fork);
                }
            }
        }
    }

    private boolean fitTogether(List<SearchCandidate> candidates) {
        long taken = candidates.stream()
                .mapToLong(candidate -> candidate.takenBytes(files.bytes()))
                .sum();
        Long available = Machine.availableBytes();
        long room = available == null ? Long.MAX_VALUE : available + memory.heldBytes();
        return taken + files.bytes() + SearchCandidate.BESIDE_BYTES <= room;
    }

    private void round(List<SearchCandidate> candidates, int fork) {
        if (context.interruption().isInterrupted()) {
            return;
        }
        List<Figures> samples = candidates.stream()
                .flatMap(candidate -> finished.find(candidate.sample("fork").put("fork", fork)).stream())
                .toList();
        rows.addAll(samples.size() < candidates.size() ? measure(candidates, fork) : samples);
        done += candidates.size();
        context.progress()
                .step(
                        done,
                        forks.count() * all,
                        candidates.getFirst().title() + and(candidates) + ", fork " + (fork + 1));
    }

    private static String and(List<SearchCandidate> candidates) {
        return candidates.size() == 1 ? "" : " and " + (candidates.size() - 1) + " more";
    }

    private List<Figures> measure(List<SearchCandidate> candidates, int fork) {
        try (ForkRound round = new ForkRound(fork, options, files, this::failed)) {
            for (SearchCandidate candidate : candidates) {
                round.start(candidate, main, memory, context, answers);
            }
            List<Figures> samples = round.measure();
            samples.forEach(finished::add);
            return samples;
        }
    }

    /** A candidate that cannot be served is asked once. */
    private void failed(SearchCandidate candidate, LarderException e) {
        if (e instanceof SkippedException) {
            leave(candidate, "skipped_reason", e);
        } else if (!context.interruption().isInterrupted()) {
            leave(candidate, "failed_reason", e);
        }
    }

    private void leave(SearchCandidate candidate, String why, LarderException e) {
        context.progress().line(candidate.title() + ": " + e.getMessage());
        left.add(candidate);
        notMeasured.add(RunRows.notMeasured(candidate.figures(), why, String.valueOf(e.getMessage())));
    }
}
