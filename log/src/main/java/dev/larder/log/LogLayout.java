package dev.larder.log;

import dev.larder.log.format.SegmentLayout;
import dev.larder.memory.Allocation;
import java.util.Objects;
import java.util.Optional;

/**
 * The sizes of a log's files, and how their space is allocated. Immutable; each {@code with} returns a changed copy.
 *
 * @param largestSegmentBytes the size up to which segments grow, by doubling: a power of two from 64 KiB to 4 GiB;
 *     belongs to the log. 0: the log's own size; a new log then gets {@link #LARGEST_SEGMENT_DEFAULT_BYTES}
 * @param firstSegmentBytes the size of the first segment of a new log, a power of two from 64 KiB to 4 GiB; a greater
 *     size than the largest means the largest. 0: {@link #FIRST_SEGMENT_DEFAULT_BYTES}
 * @param allocation how files get their space; empty: chosen by the kind of file system
 * @param prepareBytes the most space that is kept present ahead of the tail, 0 to 64 GiB. The amount follows the recent
 *     rate of the writers; while a writer is saturated, nothing is prepared
 * @param lockPages whether prepared space is locked in memory until the tail has passed it, in processes that append, within
 *     RLIMIT_MEMLOCK. Beyond that limit the log logs a warning, and continues
 * @param hugePages whether large pages are requested under segments (MADV_HUGEPAGE). File systems with large folios
 *     take the hint, and tmpfs if it is configured so. Where it is not taken, nothing changes
 * @param mappedSegments how many segments stay mapped while no reader or appender uses them: 1 to 32,768. Beyond that
 *     number, the segments that were entered longest ago are unmapped
 */
public record LogLayout(
        long largestSegmentBytes,
        long firstSegmentBytes,
        Optional<Allocation> allocation,
        long prepareBytes,
        boolean lockPages,
        boolean hugePages,
        int mappedSegments) {

    /** The default of the size up to which segments grow. */
    public static final long LARGEST_SEGMENT_DEFAULT_BYTES = 256L << 20;

    /** The default size of the first segment. */
    public static final long FIRST_SEGMENT_DEFAULT_BYTES = 2L << 20;

    private static final long PREPARE_DEFAULT_BYTES = 128L << 20;
    private static final long PREPARE_MAX_BYTES = 64L << 30;
    private static final int MAPPED_DEFAULT = 4096;
    private static final int MAPPED_MAX = 32_768;

    /** Makes a layout; each size must be in its range. */
    public LogLayout {
        checkSize("largest", largestSegmentBytes);
        checkSize("first", firstSegmentBytes);
        Objects.requireNonNull(allocation, "allocation");
        checkPrepared(prepareBytes);
        if (mappedSegments < 1 || mappedSegments > MAPPED_MAX) {
            throw new IllegalArgumentException(mappedSegments + " mapped segments are not between 1 and " + MAPPED_MAX);
        }
    }

    static void checkPrepared(long bytes) {
        if (bytes < 0 || bytes > PREPARE_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "prepared space of " + bytes + " bytes is not between 0 and " + PREPARE_MAX_BYTES);
        }
    }

    private static void checkSize(String which, long bytes) {
        boolean size = bytes == 0
                || (Long.bitCount(bytes) == 1
                        && bytes >= SegmentLayout.SIZE_MIN_BYTES
                        && bytes <= SegmentLayout.SIZE_MAX_BYTES);
        if (!size) {
            throw new IllegalArgumentException(which + " segment of " + bytes + " bytes is not a power of two between "
                    + SegmentLayout.SIZE_MIN_BYTES + " and " + SegmentLayout.SIZE_MAX_BYTES);
        }
    }

    /**
     * Returns the defaults: the log's own sizes, allocation by file system, 128 MiB kept present, nothing locked, 4,096
     * segments mapped.
     */
    public static LogLayout defaults() {
        return new LogLayout(0, 0, Optional.empty(), PREPARE_DEFAULT_BYTES, false, false, MAPPED_DEFAULT);
    }

    /** Returns a copy with another {@link #largestSegmentBytes}. */
    public LogLayout withLargestSegmentBytes(long bytes) {
        return new LogLayout(bytes, firstSegmentBytes, allocation, prepareBytes, lockPages, hugePages, mappedSegments);
    }

    /** Returns a copy with another {@link #firstSegmentBytes}. */
    public LogLayout withFirstSegmentBytes(long bytes) {
        return new LogLayout(
                largestSegmentBytes, bytes, allocation, prepareBytes, lockPages, hugePages, mappedSegments);
    }

    /** Returns a copy with another {@link #allocation}. */
    public LogLayout withAllocation(Allocation way) {
        return new LogLayout(
                largestSegmentBytes,
                firstSegmentBytes,
                Optional.of(way),
                prepareBytes,
                lockPages,
                hugePages,
                mappedSegments);
    }

    /** Returns a copy with other {@link #prepareBytes}. */
    public LogLayout withPrepareBytes(long bytes) {
        return new LogLayout(
                largestSegmentBytes, firstSegmentBytes, allocation, bytes, lockPages, hugePages, mappedSegments);
    }

    /** Returns a copy with another {@link #lockPages}. */
    public LogLayout withLockPages(boolean lock) {
        return new LogLayout(
                largestSegmentBytes, firstSegmentBytes, allocation, prepareBytes, lock, hugePages, mappedSegments);
    }

    /** Returns a copy with another {@link #hugePages}. */
    public LogLayout withHugePages(boolean prefer) {
        return new LogLayout(
                largestSegmentBytes, firstSegmentBytes, allocation, prepareBytes, lockPages, prefer, mappedSegments);
    }

    /** Returns a copy with other {@link #mappedSegments}. */
    public LogLayout withMappedSegments(int most) {
        return new LogLayout(
                largestSegmentBytes, firstSegmentBytes, allocation, prepareBytes, lockPages, hugePages, most);
    }
}
