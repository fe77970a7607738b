package dev.larder.log;

/** Whether a record begins at an offset that somebody names: of a position that may be anything. */
final class RecordPlaces {

    private RecordPlaces() {}

    /**
     * Returns whether a record begins at an offset, or the next one will. Of words that carry no check only the chain
     * tells: zeros in a payload look FREE, and any bytes RESERVED.
     *
     * @param ended whether a later segment is in use
     */
    static boolean isPlace(Segment segment, long at, IntegrityMode integrity, boolean ended) {
        if ((at & 7) != 0 || at < segment.head || at > segment.limit - Segment.END_ROOM_BYTES) {
            return false;
        }
        long word = segment.wordAcquire(at);
        return switch (RecordWord.state(word)) {
            case RecordWord.COMMITTED, RecordWord.PADDING -> segment.isSound(at, word, integrity);
            case RecordWord.RESERVED -> isOnChain(segment, at);
            default -> !ended && isOnChain(segment, at);
        };
    }

    /**
     * Returns where the chain of a segment that has ended does end. Behind it nothing is a record, though there may be
     * whole ones: those that were cut after a loss of power. The walk begins at the hint, which a recovery sets to the cut.
     * A hint has no check: where it leads to no sound word, the walk begins at the first record.
     */
    static long end(Segment segment, IntegrityMode integrity) {
        long at = segment.hintAfter(segment.head);
        long word = segment.wordAcquire(at);
        if (!segment.isSound(at, word, integrity)) {
            at = segment.head;
            word = segment.wordAcquire(at);
        }
        while (word != RecordWord.FREE && !RecordWord.isEnd(word)) {
            at = segment.next(at, word);
            word = segment.wordAcquire(at);
        }
        return at;
    }

    private static boolean isOnChain(Segment segment, long at) {
        long hint = segment.hintAfter(segment.head);
        long on = hint <= at ? hint : segment.head;
        long word = segment.wordAcquire(on);
        while (on < at && word != RecordWord.FREE && !RecordWord.isEnd(word)) {
            on = segment.next(on, word);
            word = segment.wordAcquire(on);
        }
        return on == at;
    }
}
