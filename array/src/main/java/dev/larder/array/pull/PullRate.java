package dev.larder.array.pull;

import java.util.concurrent.TimeUnit;

/** How fast files are pulled at most, by all pulls of a node together. Thread-safe. */
public final class PullRate {

    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final double nanosPerByte;
    private long freeNanos = System.nanoTime();

    /** A rate in bytes a second. */
    public PullRate(long bytesPerSecond) {
        this.nanosPerByte = (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    }

    /** Waits until so many more bytes may come. */
    void take(long bytes) throws InterruptedException {
        long wait;
        synchronized (this) {
            long now = System.nanoTime();
            freeNanos = Math.max(freeNanos, now - BURST_NANOS) + (long) (bytes * nanosPerByte);
            wait = freeNanos - now;
        }
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }
}
