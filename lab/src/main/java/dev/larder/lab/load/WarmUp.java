package dev.larder.lab.load;

import dev.larder.cli.Figures;

/**
 * Tells when a target is warm: the middle response time of two windows in a row differs by less than a tenth, and the
 * 99th percentile by less than a third, so that neither the compiler nor the caches are still at work on it.
 */
final class WarmUp {

    private static final double MEDIAN_SHARE = 0.1;
    private static final double TAIL_SHARE = 0.33;
    private static final double NOTHING_US = 20;

    private final double windowSeconds;
    private final double maxSeconds;
    private Figures last = new Figures();
    private int windows;
    private boolean converged;

    WarmUp(double windowSeconds, double maxSeconds) {
        this.windowSeconds = windowSeconds;
        this.maxSeconds = maxSeconds;
    }

    boolean goesOn() {
        return !converged && (windows + 1) * windowSeconds <= maxSeconds;
    }

    int windows() {
        return windows;
    }

    /** Adds the row of a window. */
    void add(Figures row) {
        converged = windows > 0 && agree(row, "p50_us", MEDIAN_SHARE) && agree(row, "p99_us", TAIL_SHARE);
        last = row;
        windows++;
    }

    private boolean agree(Figures row, String name, double share) {
        double before = last.number(name);
        double now = row.number(name);
        return Math.abs(now - before) <= Math.max(NOTHING_US, share * Math.max(before, now));
    }

    Figures figures() {
        return new Figures().put("seconds", windows * windowSeconds).put("converged", converged);
    }
}
