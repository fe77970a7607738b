package dev.larder.map;

import dev.larder.log.LogRecords;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many bytes of the log are records of entries: exact, as every change of a word adds what it brings and takes what it
 * replaces, but for changes that are being made.
 *
 * <p>Only a map that crashed after its image was taken beside writers does not know where it begins: what was put meanwhile
 * counts twice. So it counts apart what is alive behind a position; when the cleaner has come there, that is all there is.
 */
final class LiveBytes {

    private static final long NOT_APART = Long.MAX_VALUE;

    private final LongAdder bytes = new LongAdder();
    private final LongAdder behind = new LongAdder();
    private volatile long apartFrom = NOT_APART;

    /** Takes note that a record was linked in place of what a probe has found; its size, 0 for a removal. */
    void changed(Probe probe, long position, long size) {
        long former = probe.isPresent() ? LogRecords.sizeBytes(probe.length) : 0;
        bytes.add(size - former);
        long from = apartFrom;
        if (from != NOT_APART) {
            behind.add((position >= from ? size : 0) - (probe.position >= from ? former : 0));
        }
    }

    long get() {
        return Math.max(0, bytes.sum());
    }

    /** Begins with a number that is too high, if anything; everything that is linked from now on lies behind a position. */
    void doubt(long from) {
        apartFrom = from;
    }

    void add(long known) {
        bytes.add(known);
    }

    /** Takes note that no record is left before a position. */
    void cleanedTo(long position) {
        if (apartFrom != NOT_APART && position >= apartFrom) {
            bytes.add(behind.sum() - bytes.sum());
            apartFrom = NOT_APART;
        }
    }
}
