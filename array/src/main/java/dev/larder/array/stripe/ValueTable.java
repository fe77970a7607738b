package dev.larder.array.stripe;

/**
 * The positions of the values of a log's entries: one for each entry from the first one that is not purged.
 *
 * <pre>
 * entry    | 7     | 8    | 9     | 10
 * position | 4,096 | none | 5,920 | 9,008      positions rise, as entries are written in their order
 * </pre>
 *
 * Not thread-safe.
 */
final class ValueTable {

    /** Stands for an entry without values. No position is negative. */
    static final long NONE = -1;

    private static final int LEAST_LENGTH = 64;

    /** A ring: entry i is at i modulo the ring's length, which is a power of two. */
    private long[] positions = new long[LEAST_LENGTH];

    /** The bytes of all values up to an entry, including its own. */
    private long[] sums = new long[LEAST_LENGTH];

    /** The same sum for the entry before the first one. */
    private long sumBefore;

    private long first;
    private int size;

    /** Records the position of an entry's values. The entry becomes the last one: all after it are forgotten. */
    void put(long index, long position, long bytes) {
        if (size == 0 || index < first) {
            first = index;
            size = 0;
        }
        cut(index - 1);
        while (first + size < index) {
            add(NONE, 0);
        }
        add(position, bytes);
    }

    private void add(long position, long bytes) {
        if (size == positions.length) {
            positions = grown(positions);
            sums = grown(sums);
        }
        long index = first + size;
        long sum = sumTo(index) + bytes;
        positions[place(positions, index)] = position;
        sums[place(sums, index)] = sum;
        size++;
    }

    private long[] grown(long[] ring) {
        long[] larger = new long[ring.length * 2];
        for (long index = first; index < first + size; index++) {
            larger[place(larger, index)] = ring[place(ring, index)];
        }
        return larger;
    }

    private static int place(long[] ring, long index) {
        return (int) (index & (ring.length - 1));
    }

    /** Returns how many bytes the values before an entry have. */
    private long sumTo(long index) {
        long last = Math.clamp(index, first, first + size) - 1;
        return last < first ? sumBefore : sums[place(sums, last)];
    }

    /** Returns how many bytes the values of the entries from one index to another have, the second excluded. */
    long bytes(long from, long to) {
        return sumTo(to) - sumTo(from);
    }

    /** Returns the position of an entry's values; {@link #NONE} if it has none, or is not here. */
    long position(long index) {
        return index < first || index >= first + size ? NONE : positions[place(positions, index)];
    }

    /** Forgets all entries after a given one. */
    void cut(long last) {
        size = Math.clamp(last + 1 - first, 0, size);
    }

    /** Forgets all entries up to a given one, inclusive. */
    void drop(long last) {
        long from = Math.min(Math.max(first, last + 1), first + size);
        sumBefore = sumTo(from);
        size -= (int) (from - first);
        first = from;
    }

    /** Returns the lowest position; {@link #NONE} if no entry has values. */
    long lowest() {
        while (size > 0 && position(first) == NONE) {
            drop(first);
        }
        return size == 0 ? NONE : position(first);
    }
}
