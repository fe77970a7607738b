package dev.larder.lab.load;

import dev.larder.cli.Figures;

/** Tells from a load whether its target kept up. */
final class Saturation {

    /** From which growth of the backlog on, as a share of what was sent, a target does not keep up. */
    static final double GROWTH = 0.02;

    /** So many requests may pile up in any target. */
    private static final long PENDING_MIN = 16;

    private Saturation() {}

    /** Returns whether the backlog grew all the time, or the load had to be stopped. */
    static boolean of(Figures seen) {
        boolean grew = seen.number("backlog_growth") > GROWTH && seen.whole("backlog_max") > PENDING_MIN;
        return seen.flag("stopped") || grew;
    }
}
