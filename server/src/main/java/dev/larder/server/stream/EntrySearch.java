package dev.larder.server.stream;

/**
 * Finds the entries of a stream by their ids, which grow with sequences. It is a binary search, and each probe reads the id of
 * one message. It remembers ids that searches need again and again.
 */
final class EntrySearch {

    /** How many entries are walked over instead of another probe. */
    private static final int WALK_ENTRIES = 64;

    private final Stream stream;
    private final KnownPlaces places = new KnownPlaces();
    private final KnownId first = new KnownId();
    private final KnownId last = new KnownId();

    /** The id of the message of a sequence. */
    private static final class KnownId {

        private long sequence = -1;
        private StreamId id = StreamId.ZERO;

        void set(long at, StreamId there) {
            sequence = at;
            id = there;
        }
    }

    EntrySearch(Stream stream) {
        this.stream = stream;
    }

    /** Forgets the ids of the first and the last entry. */
    void forgetEnds() {
        first.set(-1, StreamId.ZERO);
        last.set(-1, StreamId.ZERO);
    }

    /** Forgets the places of entries: other entries will have their ids. */
    void clear() {
        places.clear();
    }

    /** Records the last entry. */
    void added(StreamId id, long sequence) {
        last.set(sequence, id);
    }

    /** Records that a reader has stopped behind an entry. */
    void stopped(StreamId id, long sequence) {
        places.stopped(id, sequence);
    }

    /** Returns the id of the first entry, which must exist. */
    StreamId first() {
        return id(stream.first(), first);
    }

    /** Returns the id of the last entry, which must exist. */
    StreamId last() {
        return id(stream.deleted().previousLive(stream.end() - 1), last);
    }

    private StreamId id(long sequence, KnownId known) {
        if (known.sequence != sequence) {
            known.set(sequence, stream.idOf(sequence));
        }
        return known.id;
    }

    /** Returns the sequence of the first entry with this id or a greater one; the end if there is none. */
    long ceiling(StreamId id) {
        if (id.isAfter(stream.last()) || stream.length() == 0) {
            return stream.end();
        }
        DeletedEntries deleted = stream.deleted();
        Long behind = id.isZero() ? null : places.behind(id.previous());
        if (behind != null && behind >= stream.first()) {
            return Math.min(deleted.nextLive(behind), stream.end());
        }
        long low = stream.first();
        long high = stream.end();
        while (high - low > WALK_ENTRIES) {
            long middle = KnownPlaces.roundest(low + 1, high);
            long live = deleted.nextLive(middle);
            if (live < high && probe(live).compareTo(id) < 0) {
                low = live + 1;
            } else {
                high = middle; // no entry between the middle and the next live one
            }
        }
        long at = deleted.nextLive(low);
        while (at < high && stream.idOf(at).compareTo(id) < 0) {
            at = deleted.nextLive(at + 1);
        }
        return Math.min(at, stream.end());
    }

    private StreamId probe(long sequence) {
        StreamId known = places.id(sequence);
        if (known == null) {
            known = stream.idOf(sequence);
            places.remember(sequence, known);
        }
        return known;
    }

    /** Returns the sequence of the entry with an id; -1 if there is none. */
    long find(StreamId id) {
        long at = ceiling(id);
        return at < stream.end() && stream.idOf(at).equals(id) ? at : -1;
    }
}
