package dev.larder.lab.latency;

import dev.larder.lab.load.Arrivals;
import dev.larder.lab.load.ConstantArrivals;
import dev.larder.lab.load.PoissonArrivals;
import java.util.Locale;

/** How the moments of messages are spread. */
public enum ArrivalKind {
    /** One every so often. */
    CONSTANT,
    /** As from independent users. */
    POISSON;

    Arrivals at(double ratePerSecond, long seed) {
        return this == CONSTANT ? new ConstantArrivals(ratePerSecond) : new PoissonArrivals(ratePerSecond, seed);
    }

    static ArrivalKind named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
