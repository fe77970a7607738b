package dev.larder.map.clean;

import dev.larder.map.format.EntryLayout;
import java.util.function.BooleanSupplier;

/**
 * Which entries of a segment that is cleaned are carried, and which are evicted, in a map that keeps so many bytes: by
 * whether they were of use since they were written or carried, and before that.
 *
 * <pre>
 *  uses, in the record     looked at in this turn     not looked at
 *      0                   carried, with 1            evicted
 *      1                   carried, with 2            carried, with 0
 *      2                   carried, with 3            carried, with 1
 *      3                   carried, with 3            carried, with 2
 * </pre>
 *
 * <p>This is CLOCK with a count, the log its ring: an entry that was of use for some turns may miss as many. Of what was
 * seen lately at most three quarters are carried for that, so that a map whose every entry is of use makes room as
 * well. Where a segment begins it is decided whether anything has to go: so what is new is not written twice for the last
 * few bytes.
 */
public final class Eviction {

    private static final int CARRIED_QUARTERS_MAX = 3;

    private final BooleanSupplier tooMuch;
    private final long windowBytes;
    private boolean isTooMuch;
    private long seenBytes;
    private long keptBytes;

    /**
     * An eviction.
     *
     * @param tooMuch whether the map holds too much
     * @param windowBytes how much of what was seen counts as lately; the map's bytes, or some part of them
     */
    public Eviction(BooleanSupplier tooMuch, long windowBytes) {
        this.tooMuch = tooMuch;
        this.windowBytes = windowBytes;
        this.seenBytes = windowBytes;
    }

    /** Begins with another segment. */
    public void begin() {
        isTooMuch = tooMuch.getAsBoolean();
        if (seenBytes > 2 * windowBytes) {
            seenBytes /= 2;
            keptBytes /= 2;
        }
    }

    /** Returns whether an entry of so many bytes goes. */
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
