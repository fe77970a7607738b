package dev.larder.server.stream;

/**
 * How many entries of a stream a group has read, as far as that follows from counts: a deleted entry in between makes it
 * unknown. It is a picture of the stream at one moment.
 */
public final class ReadCounts {

    private final long length;
    private final long added;
    private final StreamId first;
    private final StreamId last;
    private final StreamId greatestDeleted;

    /** A picture of a stream. */
    public ReadCounts(Stream stream) {
        length = stream.length();
        added = stream.added();
        first = stream.firstId();
        last = stream.last();
        greatestDeleted = stream.greatestDeleted();
    }

    /** Returns whether an entry may have been deleted from an id on. */
    private boolean hasHoleFrom(StreamId id) {
        boolean none = length == 0 || greatestDeleted.isZero() || first.isAfter(greatestDeleted);
        return !none && !id.isAfter(greatestDeleted);
    }

    /** Returns how many entries were added up to one, or {@link Group#UNKNOWN}. */
    public long upTo(StreamId id) {
        if (added == 0) {
            return 0;
        }
        if (id.equals(last) || (length == 0 && last.isAfter(id))) {
            return added;
        }
        boolean whole = greatestDeleted.isZero() || first.isAfter(greatestDeleted);
        if (id.isAfter(last) || !whole || id.isAfter(first)) {
            return Group.UNKNOWN;
        }
        return added - length + (id.equals(first) ? 1 : 0);
    }

    /** Returns what a count becomes by reading one more entry. */
    public long behind(long read, StreamId id) {
        if (read != Group.UNKNOWN && !hasHoleFrom(id)) {
            return read + 1;
        }
        return added == 0 ? read : upTo(id);
    }

    /** Returns how many entries a group has not read yet, or {@link Group#UNKNOWN}. */
    public long lag(Group group) {
        if (added == 0) {
            return 0;
        }
        if (group.read() != Group.UNKNOWN && !hasHoleFrom(group.last())) {
            return added - group.read();
        }
        long read = upTo(group.last());
        return read == Group.UNKNOWN ? Group.UNKNOWN : added - read;
    }
}
