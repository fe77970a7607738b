package dev.larder.lab.search;

import dev.larder.lab.RunContext;
import dev.larder.lab.machine.WarmMemory;
import dev.larder.lab.result.Figures;
import dev.larder.lab.result.LabException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Searches one after the other, without a network: a process for each candidate, then the same again, and so on. Each
 * round begins with another candidate, so that none is always the one after a certain other.
 */
final class ThroughputRun {

    private final SearchOptions options;
    private final SearchOptions.Forks forks;
    private final SearchFiles files;
    private final WarmMemory memory;
    private final Class<?> main;
    private final RunContext context;
    private final FinishedSearches finished;
    private final Answers answers = new Answers();
    private final List<Figures> rows = new ArrayList<>();
    private final List<Figures> notMeasured = new ArrayList<>();
    private final Set<SearchCandidate> left = new LinkedHashSet<>();
    private int done;

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
        finished = new FinishedSearches(context.finished());
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

    void run(List<SearchCandidate> candidates) {
        for (int fork = 0; fork < forks.count(); fork++) {
            for (int i = 0; i < candidates.size() && !context.interruption().isInterrupted(); i++) {
                SearchCandidate candidate = candidates.get((i + fork) % candidates.size());
                if (!left.contains(candidate)) {
                    run(candidate, fork);
                }
                context.progress()
                        .step(++done, forks.count() * candidates.size(), candidate.title() + ", fork " + (fork + 1));
            }
        }
    }

    /** A candidate that cannot be served is asked once. */
    private void run(SearchCandidate candidate, int fork) {
        try {
            Figures sample = finished.fork(candidate, fork).orElse(null);
            if (sample == null) {
                sample = measure(candidate, fork);
                context.folder().addSample(sample);
            }
            rows.add(sample);
        } catch (SkippedException e) {
            leave(candidate, "skipped_reason", e);
        } catch (LabException e) {
            if (!context.interruption().isInterrupted()) {
                leave(candidate, "failed_reason", e);
            }
        }
    }

    private void leave(SearchCandidate candidate, String why, LabException e) {
        context.progress().line(candidate.title() + ": " + e.getMessage());
        left.add(candidate);
        notMeasured.add(SearchRun.notMeasured(candidate, why, String.valueOf(e.getMessage())));
    }

    private Figures measure(SearchCandidate candidate, int fork) {
        try (SearchServer server = SearchServer.start(candidate, main, options, files, memory, context)) {
            server.check(answers);
            Figures measured = server.ask(
                    "measure",
                    new Figures()
                            .put("seconds", forks.seconds())
                            .put("warm_up_seconds", forks.warmUpSeconds())
                            .put("seed", options.seed() + fork));
            return candidate
                    .figures()
                    .put("sample", "fork")
                    .put("fork", fork)
                    .put("index_bytes", files.bytes())
                    .put("index_cached_bytes", server.cachedBytes())
                    .put("load_ms", server.opened().get("load_ms"))
                    .put("first_query_ms", server.opened().get("first_query_ms"))
                    .putAll(measured)
                    .put("valid", true);
        }
    }
}
