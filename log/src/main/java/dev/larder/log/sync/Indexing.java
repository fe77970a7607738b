package dev.larder.log.sync;

import dev.larder.log.format.RecordWord;
import dev.larder.log.format.RowWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.segment.Segment;
import org.jspecify.annotations.Nullable;

/**
 * Stores what a walk over settled words finds of the sparse index: the row of each block that it passes, and the base
 * sequence of a segment. If the walk begins in the middle of a segment, counts the records between the nearest row and there.
 * One thread at a time.
 */
final class Indexing {

    private static final long UNKNOWN = -1;

    private @Nullable Segment segment;
    private long offset;
    private long records;
    private int block;
    private boolean counting;

    /** Is called when the walk continues at an offset, where it was or elsewhere. */
    void resume(Segment where, long at) {
        if (segment != where || offset != at) {
            begin(where, at);
        }
    }

    private void begin(Segment where, long at) {
        segment = where;
        offset = at;
        block = (int) (at >>> SegmentLayout.BLOCK_SHIFT);
        int known = where.rows.nearest(block);
        if (where.rows.offset(known) > at) {
            known = where.rows.nearest(known - 1);
        }
        records = RowWord.records(where.rows.index(known));
        counting = count(where, where.rows.offset(known), at) == at;
    }

    /** Returns where the count has ended. That is before the end asked for if words are damaged, which other code reports. */
    private long count(Segment where, long from, long to) {
        long at = from;
        long word = where.wordAcquire(at);
        while (at < to && RecordWord.state(word) > RecordWord.RESERVED && !RecordWord.isEnd(word)) {
            long size = RecordWord.sizeBytes(RecordWord.length(word));
            if (!where.fits(at, size)) {
                return at;
            }
            add(word);
            at += size;
            word = where.wordAcquire(at);
        }
        return at;
    }

    private void add(long word) {
        records += RecordWord.state(word) == RecordWord.COMMITTED ? 1 : 0;
    }

    /** Is called when the walk has passed a word and stands before the next one. */
    void passed(Segment where, long word, long next) {
        add(word);
        offset = next;
        int entered = (int) (next >>> SegmentLayout.BLOCK_SHIFT);
        if (entered > block) {
            block = entered;
            if (counting) {
                where.rows.store(next, records);
            }
        }
    }

    /** Returns how many records were committed up to the END before which the walk stands; -1 if that is unknown. */
    long recordsUpToEnd(Segment ended) {
        long base = ended.rows.baseSequence();
        return segment == ended && counting && base >= 0 ? base + records : UNKNOWN;
    }

    /** Is called when the walk enters the segment after the one at whose END it stood. */
    void enter(Segment next, long recordsBefore) {
        if (recordsBefore != UNKNOWN) {
            next.rows.storeBaseSequence(recordsBefore);
        }
        segment = next;
        offset = next.head;
        records = 0;
        block = 0;
        counting = true;
    }
}
