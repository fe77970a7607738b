package dev.larder.lab.map;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The keys 0 to {@link #count} - 1, which all exist, and the following ones, which threads put one after another.
 *
 * <p>A thread may be delayed between taking a number and putting it, while other threads put later numbers. A number counts
 * only when there is no gap before it. So every key below the count must be found.
 */
final class GrowingKeys {

    /** In place of a number: no room is left. */
    public static final long NONE = -1;

    /** How far the last number may be ahead of the first missing one. */
    static final int AHEAD = 1 << 14;

    private final long most;
    private final AtomicLong next;
    private final AtomicLong there;

    /** At the place of a number that was put: the number plus one. */
    private final AtomicLongArray put = new AtomicLongArray(AHEAD);

    /**
     * Keys of which some exist.
     *
     * @param count how many exist
     * @param most how many may ever exist
     */
    public GrowingKeys(long count, long most) {
        if (count < 1 || most < count) {
            throw new IllegalArgumentException("there are " + count + " keys, and at most " + most);
        }
        this.most = most;
        next = new AtomicLong(count);
        there = new AtomicLong(count);
    }

    /** Returns how many exist. */
    public long count() {
        return there.get();
    }

    /** Returns the existing key at a place, from 0 to the largest long: each is as likely as any other. */
    public long at(long place) {
        return Math.unsignedMultiplyHigh(place << 1, count());
    }

    /**
     * Takes the number of the next key; the caller puts it, and then calls {@link #put}. Returns {@link #NONE} if no room is
     * left, or another thread is delayed for too long.
     */
    public long take() {
        long number = next.get();
        while (number < Math.min(most, there.get() + AHEAD)) {
            long found = next.compareAndExchange(number, number + 1);
            if (found == number) {
                return number;
            }
            number = found;
        }
        return NONE;
    }

    /** Records that the key of a number was put. */
    public void put(long number) {
        put.set(place(number), number + 1);
        for (long first = there.get(); put.get(place(first)) == first + 1; first = there.get()) {
            there.compareAndSet(first, first + 1); // or another thread does
        }
    }

    private static int place(long number) {
        return (int) (number & (AHEAD - 1));
    }

    /** Returns whether no room is left. */
    public boolean isFull() {
        return next.get() >= most;
    }
}
