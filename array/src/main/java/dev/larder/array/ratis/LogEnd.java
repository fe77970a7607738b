package dev.larder.array.ratis;

import java.util.Comparator;

/**
 * The last entry of a member's log. Voters refuse a candidate whose log ends before theirs, so the greater of two may be elected.
 *
 * @param term the term of the leader that made the entry
 * @param index its number
 */
public record LogEnd(long term, long index) implements Comparable<LogEnd> {

    /** The end of a log without entries, or of a member that does not run. */
    public static final LogEnd NONE = new LogEnd(0, -1);

    private static final Comparator<LogEnd> ORDER =
            Comparator.comparingLong(LogEnd::term).thenComparingLong(LogEnd::index);

    @Override
    public int compareTo(LogEnd other) {
        return ORDER.compare(this, other);
    }
}
