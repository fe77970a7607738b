package dev.larder.array.slots;

import dev.larder.server.store.KeySlot;

/**
 * The slots of the stripes: each stripe has a range of them, and all ranges are about as long. Slots never move.
 *
 * <pre>
 * 3 stripes: | 0 ... 5461 | 5462 ... 10922 | 10923 ... 16383 |
 * </pre>
 *
 * @param stripes how many stripes the array has, 1 to 1024
 */
public record StripeSlots(int stripes) {

    private static final int STRIPES_MAX = 1024;

    /** Creates the slots of a number of stripes, which must be in its range. */
    public StripeSlots {
        if (stripes < 1 || stripes > STRIPES_MAX) {
            throw new IllegalArgumentException("stripes: " + stripes + " is not within 1 and " + STRIPES_MAX);
        }
    }

    /** Returns the stripe of a slot. */
    public int stripeOf(int slot) {
        return slot * stripes / KeySlot.COUNT;
    }

    /** Returns the first slot of a stripe. */
    public int first(int stripe) {
        return (stripe * KeySlot.COUNT + stripes - 1) / stripes;
    }

    /** Returns the last slot of a stripe. */
    public int last(int stripe) {
        return first(stripe + 1) - 1;
    }
}
