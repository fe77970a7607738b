package dev.larder.lab.load;

import java.util.Locale;

/** How requests arrive. */
public enum ArrivalKind {
    /** Independently of one another: exponentially distributed gaps. */
    POISSON,
    /** Evenly. */
    CONSTANT,
    /** As recorded in a file. */
    REPLAY;

    static ArrivalKind named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
