package dev.larder.lab.load;

/** One arrival every so often, to the nanosecond. */
public final class ConstantArrivals implements Arrivals {

    private final double gapNanos;
    private long count;

    /** Arrivals at a rate. */
    public ConstantArrivals(double ratePerSecond) {
        this.gapNanos = 1e9 / ratePerSecond;
    }

    @Override
    public long next() {
        return (long) (count++ * gapNanos);
    }
}
