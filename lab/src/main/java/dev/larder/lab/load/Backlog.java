package dev.larder.lab.load;

import java.util.ArrayList;
import java.util.List;

/** How many requests were sent, and how many were not answered, ten times a second while a load ran. */
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
     * Returns by how much of what was sent the backlog has grown, by the line of least squares through its samples; the
     * first fifth does not count, in which even a target with time to spare builds up its ordinary queue.
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
