package dev.larder.lab.load;

/**
 * How much, and for how long.
 *
 * @param ratePerSecond of requests
 * @param seconds of requests
 * @param drainSeconds how long answers are waited for after the last request
 * @param pendingMax above so many unanswered requests the load is stopped: the target is saturated beyond doubt
 */
public record LoadPlan(double ratePerSecond, double seconds, double drainSeconds, long pendingMax) {

    /** A plan that waits 10 s for the last answers, and stops at four million that are missing. */
    public static LoadPlan of(double ratePerSecond, double seconds) {
        return new LoadPlan(ratePerSecond, seconds, 10, 4_000_000);
    }

    /** Checks the ranges. */
    public LoadPlan {
        if (!(ratePerSecond > 0) || !(seconds > 0) || !(drainSeconds >= 0) || pendingMax < 1) {
            throw new IllegalArgumentException("a load needs a rate, a time and room above 0; found " + ratePerSecond
                    + "/s for " + seconds + " s, " + drainSeconds + " s to drain, " + pendingMax + " pending");
        }
    }
}
