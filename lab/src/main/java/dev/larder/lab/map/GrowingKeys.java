package dev.larder.lab.map;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The keys 0 to {@link #count} - 1, all of which are there, and the ones behind them, which threads put one after another.
 *
 * <p>Who has taken a number may be held up before he has put it, while others put the numbers behind his: those count only
 * when there is no gap before them. So whatever is drawn below the count has to be found.
 */
final class GrowingKeys {

    /** In place of a number: there is room for no more. */
    public static final long NONE = -1;

    /** How far the last number may be ahead of the first one that is not there yet. */
    static final int AHEAD = 1 << 14;

    private final long most;
    private final AtomicLong next;
    private final AtomicLong there;

    /** In the place of a number, once it was put: the number and one. */
    private final AtomicLongArray put = new AtomicLongArray(AHEAD);

    /**
     * Keys of which some are there.
     *
     * @param count how many are there
     * @param most how many there may ever be
     */
    public GrowingKeys(long count, long most) {
        if (count < 1 || most < count) {
            throw new IllegalArgumentException("there are " + count + " keys, and at most " + most);
        }
        this.most = most;
        next = new AtomicLong(count);
        there = new AtomicLong(count);
    }

    /** Returns how many are there. */
    public long count() {
        return there.get();
    }

    /** Returns the key at a place, from 0 to the greatest long, among those that are there: each as likely as any other. */
    public long at(long place) {
        return Math.unsignedMultiplyHigh(place << 1, count());
    }

    /**
     * Takes the number of the next key, which the caller puts, and then tells {@link #put}. Returns {@link #NONE} where there is
     * room for no more, or somebody is held up for too long.
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

    /** Says that the key of a number was put. */
    public void put(long number) {
        put.set(place(number), number + 1);
        for (long first = there.get(); put.get(place(first)) == first + 1; first = there.get()) {
            there.compareAndSet(first, first + 1); // or another thread does
        }
    }

    private static int place(long number) {
        return (int) (number & (AHEAD - 1));
    }

    /** Returns whether there is room for no more. */
    public boolean isFull() {
        return next.get() >= most;
    }
}
