package dev.larder.map.clean;

import dev.larder.map.format.EntryLayout;
import java.util.function.BooleanSupplier;

/**
 * Decides which entries of a segment being cleaned are carried, and which are evicted, in a map with a limit of bytes. It
 * depends on whether an entry was accessed since it was written or carried, and before that.
 *
 * <pre>
 *  uses, in the record     accessed since then        not accessed
 *      0                   carried, with 1            evicted
 *      1                   carried, with 2            carried, with 0
 *      2                   carried, with 3            carried, with 1
 *      3                   carried, with 3            carried, with 2
 * </pre>
 *
 * <p>This is CLOCK with a count, and the log is its ring: an entry that was accessed in some turns may miss as many. Carried
 * for that reason are at most three quarters of the bytes seen lately, so that a map whose every entry is accessed makes room
 * as well. Whether anything has to go is decided where a segment begins, so new entries are not written twice for the last few
 * bytes.
 */
public final class Eviction {

    private static final int CARRIED_QUARTERS_MAX = 3;

    private final BooleanSupplier tooMuch;
    private final long windowBytes;
    private boolean isTooMuch;
    private long seenBytes;
    private long keptBytes;

    /**
     * Creates an eviction.
     *
     * @param tooMuch whether the map holds too much
     * @param windowBytes how many of the bytes seen count as lately; the map's bytes, or a part of them
     */
    public Eviction(BooleanSupplier tooMuch, long windowBytes) {
        this.tooMuch = tooMuch;
        this.windowBytes = windowBytes;
        this.seenBytes = windowBytes;
    }

    /** Begins another segment. */
    public void begin() {
        isTooMuch = tooMuch.getAsBoolean();
        if (seenBytes > 2 * windowBytes) {
            seenBytes /= 2;
            keptBytes /= 2;
        }
    }

    /** Returns whether an entry of so many bytes is evicted. */
    public boolean takes(boolean visited, int uses, long bytes) {
        seenBytes += bytes;
        boolean isPreferred = (visited || uses > 0) && 4 * (keptBytes + bytes) <= CARRIED_QUARTERS_MAX * seenBytes;
        boolean goes = isTooMuch && !isPreferred;
        keptBytes += goes ? 0 : bytes;
        return goes;
    }

    /** Returns the uses of an entry that is carried. */
    public int usesAfter(boolean visited, int uses) {
        if (visited) {
            return Math.min(uses + 1, EntryLayout.USES_MAX);
        }
        return isTooMuch ? Math.max(uses - 1, 0) : uses;
    }
}
