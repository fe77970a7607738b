package dev.larder.log.segment;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Words within the blocks of a segment before which this process has counted the records. A point is the first word that
 * begins in each 128 KiB, as far as a count has passed there. The next count begins at it: of small messages a block has many
 * thousand words. Takes 16 KiB of heap for 256 MiB. It is not in the file, whose rows every process shares.
 *
 * <pre>
 * point  63                          32 31                1 0
 *       | records of the segment before | offset / 8        |1|     0: not counted yet
 * </pre>
 */
public final class CountedPoints {

    static final int STRIDE_SHIFT = 17;
    public static final long UNKNOWN = 0;

    private final AtomicLongArray points;

    CountedPoints(long limit) {
        this.points = new AtomicLongArray((int) ((limit + (1L << STRIDE_SHIFT) - 1) >>> STRIDE_SHIFT));
    }

    /** Returns the offset behind which there is another point. */
    public static long strideEnd(long offset) {
        return ((offset >>> STRIDE_SHIFT) + 1) << STRIDE_SHIFT;
    }

    /** Stores the first word that begins behind the end of a stride; all threads that know it store the same. */
    public void remember(long offset, long records) {
        int stride = (int) (offset >>> STRIDE_SHIFT);
        if (stride < points.length()) { // none behind the end of the segment
            points.setRelease(stride, (records << 32) | ((offset / 8) << 1) | 1);
        }
    }

    /** Returns the last point in a range of offsets with at most a given number of records before it, or {@link #UNKNOWN}. */
    public long last(long from, long to, long recordsMost) {
        long last = Math.min(to >>> STRIDE_SHIFT, points.length() - 1); // a small segment ends within a block
        for (long stride = last; stride > from >>> STRIDE_SHIFT; stride--) {
            long point = points.getAcquire((int) stride);
            if (point != UNKNOWN && offset(point) <= to && records(point) <= recordsMost) {
                return point;
            }
        }
        return UNKNOWN;
    }

    public static long offset(long point) {
        return ((point & 0xFFFF_FFFFL) >>> 1) * 8;
    }

    public static long records(long point) {
        return point >>> 32;
    }
}
