package dev.larder.array.pull;

import java.util.concurrent.TimeUnit;

/** The highest rate at which all pulls of a node together read files. Thread-safe. */
public final class PullRate {

    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final double nanosPerByte;
    private long freeNanos = System.nanoTime();

    /** Creates a rate in bytes a second. */
    public PullRate(long bytesPerSecond) {
        if (bytesPerSecond < 1) { // a pull would never end
            throw new IllegalArgumentException("rate: " + bytesPerSecond + " bytes a second: the least is 1");
        }
        this.nanosPerByte = (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    }

    /** Waits until a number of further bytes may come. */
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
