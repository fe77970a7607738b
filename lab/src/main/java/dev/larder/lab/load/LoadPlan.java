package dev.larder.lab.load;

/**
 * The rate and duration of a load.
 *
 * <p>In an open load requests come at a rate, whatever happens to earlier ones. A closed load keeps the number of
 * unanswered requests constant: the next one leaves when one is answered.
 *
 * @param ratePerSecond of requests; in a closed load the number of requests in flight
 * @param seconds of requests
 * @param drainSeconds how long to wait for answers after the last request
 * @param pendingMax the load stops above so many unanswered requests, as the target is certainly saturated; in a
 *     closed load, the number in flight
 * @param isClosed whether requests wait for answers
 */
public record LoadPlan(double ratePerSecond, double seconds, double drainSeconds, long pendingMax, boolean isClosed) {

    private static final double DRAIN_SECONDS = 10;

    /** An open load. */
    public LoadPlan(double ratePerSecond, double seconds, double drainSeconds, long pendingMax) {
        this(ratePerSecond, seconds, drainSeconds, pendingMax, false);
    }

    /** A plan that waits 10 s for the last answers, and stops at four million unanswered ones. */
    public static LoadPlan of(double ratePerSecond, double seconds) {
        return new LoadPlan(ratePerSecond, seconds, DRAIN_SECONDS, 4_000_000);
    }

    /** A closed load. */
    public static LoadPlan closed(int outstanding, double seconds) {
        return new LoadPlan(outstanding, seconds, DRAIN_SECONDS, outstanding, true);
    }

    /** Checks the ranges. */
    public LoadPlan {
        if (!(ratePerSecond > 0) || !(seconds > 0) || !(drainSeconds >= 0) || pendingMax < 1) {
            throw new IllegalArgumentException("a load needs a rate, a time and room above 0; found " + ratePerSecond
                    + "/s for " + seconds + " s, " + drainSeconds + " s to drain, " + pendingMax + " pending");
        }
    }

    /** Returns a copy of another length. */
    LoadPlan lasting(double otherSeconds) {
        return new LoadPlan(ratePerSecond, otherSeconds, drainSeconds, pendingMax, isClosed);
    }
}
