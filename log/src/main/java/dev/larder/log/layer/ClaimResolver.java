package dev.larder.log.layer;

import java.lang.foreign.MemorySegment;

/**
 * Decides what becomes of a filled claim whose writer died. A queue pads it. A structure that links records before they are
 * committed can tell which claims are whole.
 */
@FunctionalInterface
public interface ClaimResolver {

    /** Every claim of a dead writer becomes padding. */
    ClaimResolver PAD = (segment, offset, length, position) -> false;

    /**
     * Returns whether the claim is to be committed as it stands; otherwise it becomes padding. Must be repeatable:
     * several processes and threads may ask about one claim, at the same time.
     */
    boolean isWhole(MemorySegment segment, long offset, int length, long position);
}
