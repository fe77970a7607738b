package dev.larder.log.read;

import dev.larder.log.GoneException;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Position;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.memory.CorruptException;

/** The test whether a record begins at the offset of a position that a caller gives, which may be any value. */
public final class RecordPlaces {

    private RecordPlaces() {}

    /**
     * Returns the offset in its segment of a position at which a record begins, or will begin.
     *
     * @throws GoneException when it lies behind the end of its segment, or behind the end of what may be read
     * @throws CorruptException when the record there, or a record on the way to it, is unsound
     * @throws IllegalArgumentException when no record begins there
     */
    public static long offsetOf(long position, Segment there, LogSession session) {
        long at = Position.offset(position) == 0 ? there.head : Position.offset(position);
        IntegrityMode integrity = session.control.integrity();
        boolean ended = there.number < session.control.tailAcquire();
        if (ended) {
            checkNotCut(there, at, integrity);
        }
        session.requireReadable(position);
        if (position < session.readLimit() && !isPlace(there, at, integrity, ended)) {
            throw refused(position, there, at, session);
        }
        return at;
    }

    /** Returns the error for a refused position. An offset on the chain is a record's place, whatever bytes are there now. */
    private static RuntimeException refused(long position, Segment there, long at, LogSession session) {
        boolean damaged = there.isPlace(at) && isOnChain(there, at);
        return damaged
                ? new CorruptException(
                        there.path + ": the record at position " + Position.toString(position) + " fails its check")
                : session.absent(position);
    }

    /** Fails where an offset lies behind the end of a segment; a record that was cut off there still passes its check. */
    private static void checkNotCut(Segment ended, long at, IntegrityMode integrity) {
        long end = end(ended, integrity);
        if (at > end) {
            throw new GoneException(ended.path + ": position " + Position.toString(ended.position(at))
                    + " lies after the end of its segment, " + Position.toString(ended.position(end))
                    + ": recovery from a power loss cut the segment there, or no record was ever there");
        }
    }

    /**
     * Returns whether a record begins at an offset, or the next one will. Words without a check need the chain as proof: zeros
     * in a payload look FREE, and any bytes RESERVED.
     *
     * @param ended whether a later segment is in use
     */
    static boolean isPlace(Segment segment, long at, IntegrityMode integrity, boolean ended) {
        if (!segment.isPlace(at)) {
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
     * Returns the end of the chain of a segment that has ended. Behind it nothing is a record, though whole records may lie
     * there that were cut after a loss of power. The walk begins at the hint, which a recovery sets to the cut. A hint has no
     * check: where it leads to no sound word, the walk begins at the first record.
     */
    public static long end(Segment segment, IntegrityMode integrity) {
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
