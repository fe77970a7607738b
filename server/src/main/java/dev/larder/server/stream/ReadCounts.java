package dev.larder.server.stream;

/**
 * Computes how many entries of a stream a group has read, as far as that follows from counts. A deleted entry in between makes
 * it unknown. This is a snapshot of the stream at one moment.
 */
public final class ReadCounts {

    private final long length;
    private final long added;
    private final StreamId first;
    private final StreamId last;
    private final StreamId greatestDeleted;

    /** Takes a snapshot of a stream. */
    public ReadCounts(Stream stream) {
        length = stream.length();
        added = stream.added();
        first = stream.firstId();
        last = stream.last();
        greatestDeleted = stream.greatestDeleted();
    }

    /** Returns whether an entry at or after an id may have been deleted. */
    private boolean hasHoleFrom(StreamId id) {
        boolean none = length == 0 || greatestDeleted.isZero() || first.isAfter(greatestDeleted);
        return !none && !id.isAfter(greatestDeleted);
    }

    /** Returns how many entries were added up to an id, or {@link Group#UNKNOWN}. */
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

    /** Returns the count of read entries after one more entry is read. */
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
