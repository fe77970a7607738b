package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.report.Unit;
import dev.larder.lab.run.Finished;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Puts loads on one candidate after another: each a server of its own, none beside another, all with the same generator
 * and, at the same rate, the same requests at the same moments.
 */
final class SearchRun implements AutoCloseable {

    private static final double PERCENT = 100;

    private final SearchConditions conditions;
    private final SearchOptions.Loads loads;
    private final RunContext context;
    private final Finished finished;
    private final SearchSender sender;
    private final Answers answers = new Answers();
    private final List<Figures> rows = new ArrayList<>();
    private final List<Figures> openings = new ArrayList<>();
    private final Figures saturations = new Figures();
    private final List<Figures> sweeps = new ArrayList<>();
    private int done;
    private int steps = 1;

    SearchRun(SearchConditions conditions) {
        this.conditions = conditions;
        loads = conditions.options().loads();
        context = conditions.context();
        finished = new Finished(context.folder(), context.finished());
        sender = new SearchSender(conditions);
    }

    /** Returns its part of the result, as far as it has come. */
    Figures figures() {
        return new Figures()
                .put("generator_niceness", sender.niceness())
                .put("saturation_per_s", loads.sweep() ? saturations : null)
                .put("sweeps", loads.sweep() ? sweeps : null)
                .put("openings", openings);
    }

    /**
     * Looks for the saturation of each where no rates were given, and puts the loads on it; returns the rows. A candidate that ends
     * before its time, or cannot be served here, leaves a row that says so; the next one begins.
     */
    List<Figures> run(List<SearchCandidate> candidates) {
        int loadsOfEach = loads.sweep()
                ? 1 + 2 * loads.percents().size()
                : loads.ratesPerSecond().size();
        steps = candidates.size() * loadsOfEach;
        for (SearchCandidate candidate : candidates) {
            try {
                if (!context.interruption().isInterrupted()) {
                    measure(candidate);
                }
            } catch (LarderException e) {
                if (!context.interruption().isInterrupted()) {
                    rows.add(conditions.notMeasured(candidate, e));
                }
            }
        }
        return rows;
    }

    /** One server for all that is missing of a candidate. */
    private void measure(SearchCandidate candidate) {
        boolean known = !loads.sweep() || isSaturationKnown(candidate);
        List<Double> missing = known ? takeFinished(candidate) : List.of();
        if (!known || !missing.isEmpty()) {
            try (SearchServer server = open(candidate)) {
                ServerLoads under = new ServerLoads(conditions, sender, candidate, server);
                double searchesPerSecond = under.warm();
                if (!known) {
                    sweep(candidate, under, searchesPerSecond);
                    missing = takeFinished(candidate);
                }
                missing.forEach(rate -> load(candidate, under, rate));
            }
        }
        finished.find(candidate.sample("opening")).ifPresent(openings::add);
    }

    private boolean isSaturationKnown(SearchCandidate candidate) {
        Figures sweep = finished.find(candidate.sample("sweep")).orElse(null);
        if (sweep != null) {
            saturates(candidate, sweep);
        }
        return sweep != null;
    }

    private void sweep(SearchCandidate candidate, ServerLoads under, double searchesPerSecond) {
        context.progress().step(done, steps, candidate.title() + ", sweep");
        Figures sweep = under.sweep(searchesPerSecond);
        finished.add(sweep);
        saturates(candidate, sweep);
    }

    private void saturates(SearchCandidate candidate, Figures sweep) {
        sweeps.add(sweep);
        saturations.put(candidate.name(), sweep.get("saturation_per_s"));
        step(candidate.title() + " saturates at " + Unit.PER_SECOND.text(sweep.number("saturation_per_s")));
    }

    /** Takes the rows of loads that an earlier run has left; returns the rates that it has not. */
    private List<Double> takeFinished(SearchCandidate candidate) {
        List<Double> missing = new ArrayList<>();
        for (double rate : rates(candidate)) {
            Figures sample = finished.findValid(candidate.sample("load").put("rate_per_s", rate))
                    .orElse(null);
            if (sample == null) {
                missing.add(rate);
            } else {
                rows.addAll(sample.rows("rows"));
                done++;
            }
        }
        return missing;
    }

    private void load(SearchCandidate candidate, ServerLoads under, double rate) {
        if (context.interruption().isInterrupted()) {
            return;
        }
        context.progress().step(done, steps, candidate.title() + " at " + Unit.PER_SECOND.text(rate));
        Figures sample = under.load(rate, about(candidate, rate));
        finished.add(sample);
        rows.addAll(sample.rows("rows"));
        step(candidate.title() + " at " + RunRows.words(sample.rows("rows").get(1)));
    }

    private Figures about(SearchCandidate candidate, double rate) {
        return new Figures()
                .put("common", commonRates().contains(rate))
                .put("percent_of_saturation", PERCENT * rate / saturations.number(candidate.name()));
    }

    /**
     * Returns the rates of a candidate, ascending, so that what is too much for it comes last: those given, or shares of
     * its own saturation and of that of the first one that was measured.
     */
    private Set<Double> rates(SearchCandidate candidate) {
        Set<Double> rates = new TreeSet<>();
        if (loads.sweep()) {
            rates.addAll(shares(saturations.number(candidate.name())));
        }
        rates.addAll(commonRates());
        return rates;
    }

    /** Returns the rates that every candidate is put under. */
    private List<Double> commonRates() {
        return loads.sweep()
                ? shares(saturations.number(saturations.names().iterator().next()))
                : loads.ratesPerSecond();
    }

    private List<Double> shares(double saturation) {
        return loads.percents().stream()
                .map(percent -> Math.max(1.0, Math.rint(saturation * percent / PERCENT)))
                .toList();
    }

    /** Opens a server whose answers are right. */
    private SearchServer open(SearchCandidate candidate) {
        SearchServer server = SearchServer.start(candidate, conditions);
        try {
            server.check(answers);
            SearchOptions.Beside beside = conditions.options().beside();
            if (beside.pressure()) {
                server.press(beside.companionBytesPerSecond(), context);
            }
            finished.add(candidate.figures().put("sample", "opening").putAll(server.opened()));
            return server;
        } catch (LarderException e) {
            server.close();
            throw e;
        }
    }

    private void step(String text) {
        context.progress().step(++done, steps, text);
    }

    @Override
    public void close() {
        sender.close();
    }
}
