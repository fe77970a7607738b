package dev.larder.lab.load;

import dev.larder.cli.Figures;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** The moments at which requests must leave, ascending, counted from the start of the load. */
@FunctionalInterface
public interface Arrivals {

    /** Returned by {@link #next} after the last moment. */
    long END = Long.MAX_VALUE;

    /** Returns the next moment in nanoseconds since the start, or {@link #END}. */
    long next();

    /** Returns evenly spaced arrivals, to the nanosecond. */
    static Arrivals constant(double ratePerSecond) {
        double gapNanos = 1e9 / ratePerSecond;
        long[] count = {0};
        return () -> (long) (count[0]++ * gapNanos);
    }

    /**
     * Returns arrivals of independent users at a mean rate, with exponentially distributed gaps, so that bursts and lulls occur
     * naturally. The same seed gives the same moments.
     */
    static Arrivals poisson(double ratePerSecond, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double meanGapNanos = 1e9 / ratePerSecond;
        double[] at = {0};
        return () -> (long) (at[0] -= Math.log(1 - random.nextDouble()) * meanGapNanos);
    }

    /** Returns the arrivals of settings like {@code {"arrivals": "poisson", "rate_per_s": R}}. */
    static Arrivals of(Figures settings, long seed) {
        double rate = settings.number("rate_per_s");
        return switch (ArrivalKind.named(settings.text("arrivals"))) {
            case POISSON -> poisson(rate, seed);
            case CONSTANT -> constant(rate);
            case REPLAY -> new ReplayArrivals(Path.of(settings.text("replay")), 1);
        };
    }
}
