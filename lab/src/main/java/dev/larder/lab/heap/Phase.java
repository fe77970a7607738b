package dev.larder.lab.heap;

import java.util.Locale;

/** The work beside the requests. */
enum Phase {
    /** Nothing. */
    STEADY,
    /** A bulk load replaces one value after the other. */
    REFRESH;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
