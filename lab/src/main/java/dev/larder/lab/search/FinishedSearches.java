package dev.larder.lab.search;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The samples of a run: those that an interrupted run of the same options, seed and revision has left, which are not
 * measured again, and those that come.
 */
final class FinishedSearches {

    private static final double SAME_RATE = 0.001;

    private final List<Figures> samples;

    FinishedSearches(List<Figures> earlier) {
        samples = new ArrayList<>(earlier);
    }

    /** Takes in what was measured now. */
    void add(Figures sample) {
        samples.add(sample);
    }

    /** Returns the last sample of a kind that a candidate has. */
    Optional<Figures> of(String kind, SearchCandidate candidate) {
        return samples.stream()
                .filter(sample -> kind.equals(sample.get("sample")) && candidate.isOf(sample))
                .reduce((earlier, later) -> later);
    }

    /** Returns the load of a rate; empty when it was void: it may succeed now. */
    Optional<Figures> load(SearchCandidate candidate, double ratePerSecond) {
        return samples.stream()
                .filter(sample -> "load".equals(sample.get("sample")) && candidate.isOf(sample))
                .filter(sample -> Math.abs(sample.number("rate_per_s") - ratePerSecond) < SAME_RATE)
                .filter(sample -> sample.rows("rows").stream().allMatch(row -> row.flag("valid")))
                .findFirst();
    }

    /** Returns one fork of a candidate. */
    Optional<Figures> fork(SearchCandidate candidate, int fork) {
        return samples.stream()
                .filter(sample -> "fork".equals(sample.get("sample")) && candidate.isOf(sample))
                .filter(sample -> sample.whole("fork") == fork)
                .findFirst();
    }
}
