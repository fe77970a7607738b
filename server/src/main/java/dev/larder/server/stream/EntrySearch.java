package dev.larder.server.stream;

/**
 * Finds the entries of a stream by their ids, which grow with sequences: a binary search, whose probes read the id of one message
 * each. It remembers ids that searches ask for again and again.
 */
final class EntrySearch {

    /** So many entries are walked over in place of another probe. */
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

    /** Forgets where entries are: other ones will have their ids. */
    void clear() {
        places.clear();
    }

    /** Takes note of the last entry. */
    void added(StreamId id, long sequence) {
        last.set(sequence, id);
    }

    /** Takes note that a reader has stopped behind an entry. */
    void stopped(StreamId id, long sequence) {
        places.stopped(id, sequence);
    }

    /** Returns the id of the first entry. There is one. */
    StreamId first() {
        return id(stream.first(), first);
    }

    /** Returns the id of the last entry. There is one. */
    StreamId last() {
        return id(stream.deleted().previousLive(stream.end() - 1), last);
    }

    private StreamId id(long sequence, KnownId known) {
        if (known.sequence != sequence) {
            known.set(sequence, stream.idOf(sequence));
        }
        return known.id;
    }

    /** Returns the sequence of the first entry with an id or a greater one; the end if there is none. */
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
                high = middle; // no entry between the middle and the next one that is there
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
