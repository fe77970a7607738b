package dev.larder.lab.load;

import java.util.Arrays;

/** How many requests were sent, and how many were not answered, ten times a second while a load ran. */
final class Backlog {

    private static final long EVERY_NANOS = 100_000_000;
    private static final int FIRST_CAPACITY = 256;

    private long[] nanos = new long[FIRST_CAPACITY];
    private long[] sent = new long[FIRST_CAPACITY];
    private long[] pending = new long[FIRST_CAPACITY];
    private int count;
    private long nextNanos;

    /** Returns whether it is time for a sample. */
    boolean isDue(long now) {
        return now >= nextNanos;
    }

    void sample(long now, long sentSoFar, long pendingNow) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
            sent = Arrays.copyOf(sent, count * 2);
            pending = Arrays.copyOf(pending, count * 2);
        }
        nanos[count] = now;
        sent[count] = sentSoFar;
        pending[count] = pendingNow;
        count++;
        nextNanos = now + EVERY_NANOS;
    }

    /**
     * Returns by how much of what was sent the backlog has grown, by the line of least squares through its samples; the
     * first fifth does not count, in which even a target with time to spare builds up its ordinary queue.
     */
    double growth() {
        int from = count / 5;
        int samples = count - from;
        if (samples < 3 || sent[count - 1] == sent[from]) {
            return Double.NaN;
        }
        double meanTime = mean(nanos, from);
        double meanPending = mean(pending, from);
        double covariance = 0;
        double variance = 0;
        for (int i = from; i < count; i++) {
            covariance += (nanos[i] - meanTime) * (pending[i] - meanPending);
            variance += (nanos[i] - meanTime) * (nanos[i] - meanTime);
        }
        double grown = covariance / variance * (nanos[count - 1] - nanos[from]);
        return grown / (sent[count - 1] - sent[from]);
    }

    private double mean(long[] values, int from) {
        return Arrays.stream(values, from, count).average().orElse(Double.NaN);
    }

    /** Returns the largest backlog. */
    long max() {
        return Arrays.stream(pending, 0, count).max().orElse(0);
    }
}
