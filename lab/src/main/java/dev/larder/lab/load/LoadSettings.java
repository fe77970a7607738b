package dev.larder.lab.load;

import dev.larder.cli.Figures;
import org.jspecify.annotations.Nullable;

/**
 * A conductor's request for one load by a generator.
 *
 * @param driver how requests travel, such as {@code socket}, with its settings
 * @param workload the requests, see {@link KeyWorkload}
 * @param arrivals how requests arrive
 * @param replay the file of recorded arrivals; null unless they are replayed
 * @param plan rate and duration
 * @param seed of arrivals and workload
 * @param spinNanos how long before its moment the generator wakes
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

    /** Returns a copy with another plan. */
    public LoadSettings withPlan(LoadPlan newPlan) {
        return new LoadSettings(driver, workload, arrivals, replay, newPlan, seed, spinNanos);
    }

    /** Returns a copy with another seed. */
    public LoadSettings withSeed(long newSeed) {
        return new LoadSettings(driver, workload, arrivals, replay, plan, newSeed, spinNanos);
    }

    /** Returns a copy for a generator that only sleeps: it shares the target's processors, and must not spin to be exact. */
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
