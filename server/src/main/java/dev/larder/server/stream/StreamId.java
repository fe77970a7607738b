package dev.larder.server.stream;

/**
 * The id of an entry: milliseconds since 1970, and a number within the millisecond. Both are unsigned, and ids are ordered by
 * the first, then the second.
 *
 * @param millis the time, unsigned
 * @param number the number within the time, unsigned
 */
public record StreamId(long millis, long number) implements Comparable<StreamId> {

    /** The least id, which no entry has. */
    public static final StreamId ZERO = new StreamId(0, 0);

    /** The greatest id. */
    public static final StreamId MAX = new StreamId(-1, -1);

    @Override
    public int compareTo(StreamId other) {
        int order = Long.compareUnsigned(millis, other.millis);
        return order != 0 ? order : Long.compareUnsigned(number, other.number);
    }

    /** Returns whether this id is greater than another. */
    public boolean isAfter(StreamId other) {
        return compareTo(other) > 0;
    }

    /** Returns whether this is the id that no entry has. */
    public boolean isZero() {
        return millis == 0 && number == 0;
    }

    /** Returns the next id; after the greatest comes the least. */
    public StreamId next() {
        return number == -1 ? new StreamId(millis + 1, 0) : new StreamId(millis, number + 1);
    }

    /** Returns the id of an entry that is added at a time, behind an entry with this id. */
    public StreamId nextAt(long nowMillis) {
        return Long.compareUnsigned(nowMillis, millis) > 0 ? new StreamId(nowMillis, 0) : next();
    }

    /** Returns the previous id; before the least comes the greatest. */
    public StreamId previous() {
        return number == 0 ? new StreamId(millis - 1, -1) : new StreamId(millis, number - 1);
    }

    /** Returns the greater of two ids. */
    public static StreamId max(StreamId one, StreamId other) {
        return one.isAfter(other) ? one : other;
    }

    /** Returns the id as clients write it: {@code millis-number}. */
    @Override
    public String toString() {
        return Long.toUnsignedString(millis) + "-" + Long.toUnsignedString(number);
    }
}
