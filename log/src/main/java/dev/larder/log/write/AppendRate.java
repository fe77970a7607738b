package dev.larder.log.write;

/**
 * Measures how much a process appends, to decide how much space to prepare: the most that it appended in a second, lately. A
 * writer that trickles gets little space ahead of it; a writer that comes in bursts gets a burst.
 */
public final class AppendRate {

    private static final long WINDOW_NANOS = 1_000_000_000;
    private static final double KEPT_PER_WINDOW = 0.9;

    /** More than this means that a writer may be saturated: preparing would only take a core from it. */
    private static final long SATURATED_BYTES_PER_SECOND = 32L << 20;

    private long lookedAtNanos;
    private long lookedAtBytes;
    private long windowStartNanos;
    private long windowStartBytes;
    private long peakBytes;
    private boolean saturated;

    public AppendRate(long nowNanos) {
        this.lookedAtNanos = nowNanos;
        this.windowStartNanos = nowNanos;
    }

    /** Records the bytes appended so far. */
    public void look(long nowNanos, long totalBytes) {
        long bytes = totalBytes - lookedAtBytes;
        saturated = bytes * 1e9 > SATURATED_BYTES_PER_SECOND * (double) Math.max(1, nowNanos - lookedAtNanos);
        lookedAtNanos = nowNanos;
        lookedAtBytes = totalBytes;
        peakBytes = Math.max(peakBytes, totalBytes - windowStartBytes);
        if (nowNanos - windowStartNanos >= WINDOW_NANOS) {
            windowStartNanos = nowNanos;
            windowStartBytes = totalBytes;
            peakBytes = (long) (peakBytes * KEPT_PER_WINDOW);
        }
    }

    public boolean isSaturated() {
        return saturated;
    }

    /** Returns how far ahead to prepare: the bytes that two seconds may take, within a bound. */
    public long aheadBytes(long maxBytes) {
        return Math.min(maxBytes, 2 * peakBytes);
    }
}
