package dev.larder.server.client;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of times. The width of a bucket is a sixteenth of its value, so a percentile is right within 7 percent.
 * Thread-safe.
 */
public final class Histogram {

    /** A receiver of buckets. */
    @FunctionalInterface
    public interface Bucket {
        /** Takes the largest time of a bucket, in nanoseconds, and how many times are in it. */
        void take(long mostNanos, long count);
    }

    private static final int PARTS_BITS = 4;
    private static final int PARTS = 1 << PARTS_BITS;
    private static final int OCTAVES = 44;

    private volatile @Nullable AtomicLongArray counts;

    public Histogram() {}

    /** Adds a time. */
    public void add(long nanos) {
        AtomicLongArray now = counts;
        if (now == null) {
            now = make();
        }
        now.getAndIncrement(bucket(nanos));
    }

    private synchronized AtomicLongArray make() {
        AtomicLongArray now = counts;
        if (now == null) {
            now = new AtomicLongArray(OCTAVES * PARTS);
            counts = now;
        }
        return now;
    }

    private static int bucket(long nanos) {
        if (nanos < PARTS) {
            return (int) Math.max(0, nanos);
        }
        int octave = 63 - Long.numberOfLeadingZeros(nanos) - PARTS_BITS;
        int bucket = (octave + 1) * PARTS + (int) (nanos >>> octave) - PARTS;
        return Math.min(bucket, OCTAVES * PARTS - 1);
    }

    /** Returns the largest time of a bucket. */
    private static long most(int bucket) {
        int octave = bucket / PARTS - 1;
        return octave < 0 ? bucket : ((long) (bucket % PARTS + PARTS + 1) << octave) - 1;
    }

    /** Passes on the largest time of each bucket that has any, in order, and how many there are. */
    public void forEach(Bucket bucket) {
        AtomicLongArray now = counts;
        for (int i = 0; now != null && i < now.length(); i++) {
            long count = now.get(i);
            if (count > 0) {
                bucket.take(most(i), count);
            }
        }
    }

    /** Returns how many times were added. */
    public long count() {
        long[] count = {0};
        forEach((most, some) -> count[0] += some);
        return count[0];
    }

    /** Returns a time that this percentage of all times does not exceed; 0 if there is none. */
    public long percentileNanos(double percent) {
        double wanted = count() * percent / 100;
        long[] seen = {0, 0};
        forEach((most, some) -> {
            if (seen[0] < wanted || seen[1] == 0) {
                seen[1] = most;
            }
            seen[0] += some;
        });
        return seen[1];
    }

    public void clear() {
        counts = null;
    }
}
