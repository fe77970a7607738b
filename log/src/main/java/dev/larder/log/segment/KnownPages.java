package dev.larder.log.segment;

import java.util.concurrent.ConcurrentSkipListMap;

/**
 * How large the pages in memory may be, at most, of segments that this process has made: as large as the pieces in which their
 * zeros were written. Of other segments nothing is known: others made them, or they were read from the disk since. Thread-safe.
 */
final class KnownPages {

    /** So large as the system makes them. */
    static final long UNKNOWN_BYTES = Long.MAX_VALUE;

    /** Those of a file that got no zeros: each came by a fault. */
    static final long SINGLE_BYTES = 4096;

    private static final int KEPT_BELOW_FIRST = 64; // what was dropped just now may be asked for

    private final ConcurrentSkipListMap<Integer, Long> largest = new ConcurrentSkipListMap<>();

    /** Takes note of a segment that was made, and forgets those that were dropped long ago. */
    void made(int number, long pageBytes, int first) {
        largest.put(number, pageBytes);
        largest.headMap(first - KEPT_BELOW_FIRST).clear();
    }

    /** Returns what is known of a segment that was dropped, and forgets it. */
    long dropped(int number) {
        Long known = largest.remove(number);
        return known == null ? UNKNOWN_BYTES : known;
    }
}
