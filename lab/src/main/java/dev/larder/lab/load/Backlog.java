package dev.larder.lab.load;

import java.util.ArrayList;
import java.util.List;

/** Samples of the requests sent, and of those not answered, ten times per second of a load. */
final class Backlog {

    private static final long EVERY_NANOS = 100_000_000;

    private record Look(long nanos, long sent, long pending) {}

    private final List<Look> looks = new ArrayList<>();
    private long nextNanos;

    boolean isDue(long now) {
        return now >= nextNanos;
    }

    void sample(long now, long sentSoFar, long pendingNow) {
        looks.add(new Look(now, sentSoFar, pendingNow));
        nextNanos = now + EVERY_NANOS;
    }

    /**
     * Returns the growth of the backlog as a share of the requests sent, by the line of least squares through its samples.
     * The first fifth does not count: there even a target with time to spare builds up its ordinary queue.
     */
    double growth() {
        List<Look> counted = looks.subList(looks.size() / 5, looks.size());
        if (counted.size() < 3 || counted.getLast().sent == counted.getFirst().sent) {
            return Double.NaN;
        }
        double meanTime = counted.stream().mapToLong(Look::nanos).average().orElseThrow();
        double meanPending = counted.stream().mapToLong(Look::pending).average().orElseThrow();
        double covariance = 0;
        double variance = 0;
        for (Look look : counted) {
            covariance += (look.nanos - meanTime) * (look.pending - meanPending);
            variance += (look.nanos - meanTime) * (look.nanos - meanTime);
        }
        double grown = covariance / variance * (counted.getLast().nanos - counted.getFirst().nanos);
        return grown / (counted.getLast().sent - counted.getFirst().sent);
    }

    long max() {
        return looks.stream().mapToLong(Look::pending).max().orElse(0);
    }
}
