package dev.larder.lab.load;

import java.util.SplittableRandom;

/** Independent users: gaps are exponentially distributed, so that bursts and lulls come by themselves. */
public final class PoissonArrivals implements Arrivals {

    private final SplittableRandom random;
    private final double meanGapNanos;
    private double at;

    /** Arrivals at a mean rate; the same seed gives the same moments. */
    public PoissonArrivals(double ratePerSecond, long seed) {
        this.random = new SplittableRandom(seed);
        this.meanGapNanos = 1e9 / ratePerSecond;
    }

    @Override
    public long next() {
        at -= Math.log(1 - random.nextDouble()) * meanGapNanos;
        return (long) at;
    }
}
