package dev.larder.log.segment;

import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The largest pages that segments made by this process may have in memory: as large as the pieces in which their zeros were
 * written. Nothing is known of other segments: others made them, or they were read from the disk since. Thread-safe.
 */
final class KnownPages {

    /** As large as the system makes them. */
    static final long UNKNOWN_BYTES = Long.MAX_VALUE;

    /** The pages of a file that got no zeros: each came by a fault. */
    static final long SINGLE_BYTES = 4096;

    private static final int KEPT_BELOW_FIRST = 64; // a segment that was dropped just now may be asked for

    private final ConcurrentSkipListMap<Integer, Long> largest = new ConcurrentSkipListMap<>();

    /** Records a segment that was made, and forgets those that were dropped long ago. */
    void made(int number, long pageBytes, int first) {
        largest.put(number, pageBytes);
        largest.headMap(first - KEPT_BELOW_FIRST).clear();
    }

    /** Returns the page size that is known for a dropped segment, and forgets it. */
    long dropped(int number) {
        Long known = largest.remove(number);
        return known == null ? UNKNOWN_BYTES : known;
    }
}
