package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.Progress;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Tries rates for a sweep. A rate is too high if the target or the generator does not keep up. It records the latter, since
 * such an edge is the generator's, not the target's.
 */
public final class SaturationProbe {

    private final Conductor conductor;
    private final DoubleFunction<LoadSettings> atRate;
    private final Progress progress;
    private final List<Figures> tried = new ArrayList<>();
    private boolean lateIsTooMuch = true;

    /**
     * A probe.
     *
     * @param atRate the load of a rate; each attempt has its own seed, counted from this load's
     */
    public SaturationProbe(Conductor conductor, DoubleFunction<LoadSettings> atRate, Progress progress) {
        this.conductor = conductor;
        this.atRate = atRate;
        this.progress = progress;
    }

    /** Judges by the backlog alone. If clients and servers share processors, a late client is the machine's limit. */
    public SaturationProbe byBacklogAlone() {
        lateIsTooMuch = false;
        return this;
    }

    /** Loads the target at a rate, and returns whether it is too high. */
    private boolean saturates(double rate) {
        Figures attempt = attempt(rate);
        if (attempt.flag("generator_late") && !attempt.flag("saturated")) {
            attempt = attempt(rate); // the machine may have delayed it by chance
        }
        return attempt.flag("saturated") || attempt.flag("generator_late");
    }

    private Figures attempt(double rate) {
        LoadSettings load = atRate.apply(rate);
        LoadSettings settings = load.withSeed(load.seed() + tried.size());
        Figures seen = conductor.probe(settings, "sweep");
        Figures all = seen.rows("operations").getFirst();
        Figures attempt = new Figures()
                .put("rate_per_s", rate)
                .put("answered_per_s", all.get("answered_per_s"))
                .put("p99_us", all.get("p99_us"))
                .put("backlog_growth", seen.get("backlog_growth"))
                .put("saturated", seen.flag("saturated"))
                .put("generator_late", lateIsTooMuch && seen.get("invalid_reason") != null);
        tried.add(attempt);
        progress.line("sweep: " + Unit.PER_SECOND.text(rate)
                + (attempt.flag("saturated")
                        ? " is too much"
                        : attempt.flag("generator_late") ? ": the generator is late" : ": the target keeps up"));
        return attempt;
    }

    /**
     * Finds the saturation, see {@link Sweep}; returns {@code saturation_per_s}, {@code generator_limited},
     * {@code edges}, {@code tried}.
     */
    public Figures sweep(double startRate, double precision, int repeats) {
        List<Sweep.Edge> edges = new Sweep(this::saturates, precision, repeats).run(startRate);
        return new Figures()
                .put("saturation_per_s", Sweep.median(edges))
                .put("generator_limited", edges.stream().anyMatch(this::isGenerators))
                .put(
                        "edges",
                        edges.stream()
                                .map(edge -> new Figures()
                                        .put("kept_up_per_s", edge.keptUp())
                                        .put("saturated_per_s", edge.saturated()))
                                .toList())
                .put("tried", tried);
    }

    private boolean isGenerators(Sweep.Edge edge) {
        return tried.stream()
                .filter(attempt -> Math.abs(attempt.number("rate_per_s") - edge.saturated()) < 0.001)
                .noneMatch(attempt -> attempt.flag("saturated"));
    }
}
