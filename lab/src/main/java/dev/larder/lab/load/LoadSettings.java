package dev.larder.lab.load;

import dev.larder.cli.Figures;
import org.jspecify.annotations.Nullable;

/**
 * One load, as a conductor asks a generator for it.
 *
 * @param driver how requests travel, such as {@code socket}, with what it needs to know
 * @param workload what is asked for, see {@link KeyWorkload}
 * @param arrivals how requests arrive
 * @param replay the file of recorded arrivals; null unless they are replayed
 * @param plan how much, and for how long
 * @param seed of arrivals and workload
 * @param spinNanos how long before its time the generator is up
 */
public record LoadSettings(
        Figures driver,
        Figures workload,
        ArrivalKind arrivals,
        @Nullable String replay,
        LoadPlan plan,
        long seed,
        long spinNanos) {

    /** Checks that a replay names its file. */
    public LoadSettings {
        if ((arrivals == ArrivalKind.REPLAY) != (replay != null)) {
            throw new IllegalArgumentException("arrivals are " + arrivals + ", and the file to replay is " + replay);
        }
    }

    /** Returns the same load by another plan. */
    public LoadSettings withPlan(LoadPlan newPlan) {
        return new LoadSettings(driver, workload, arrivals, replay, newPlan, seed, spinNanos);
    }

    /** Returns the same load with another seed. */
    public LoadSettings withSeed(long newSeed) {
        return new LoadSettings(driver, workload, arrivals, replay, plan, newSeed, spinNanos);
    }

    /** Returns the same load by a generator that only sleeps: it shares processors with what it asks, and takes none to be exact. */
    public LoadSettings withoutSpin() {
        return new LoadSettings(driver, workload, arrivals, replay, plan, seed, 0);
    }

    Figures figures() {
        return new Figures()
                .put("driver", driver)
                .put("workload", workload)
                .put("arrivals", arrivals)
                .put("replay", replay)
                .put("rate_per_s", plan.ratePerSecond())
                .put("load_seconds", plan.seconds())
                .put("drain_seconds", plan.drainSeconds())
                .put("pending_max", plan.pendingMax())
                .put("closed", plan.isClosed())
                .put("seed", seed)
                .put("spin_nanos", spinNanos);
    }
}
