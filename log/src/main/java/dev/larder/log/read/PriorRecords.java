package dev.larder.log.read;

import dev.larder.log.Position;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.segment.Segment;
import dev.larder.memory.CorruptException;
import java.util.Arrays;

/**
 * The starts of the records of one block, for reading backwards. Words lead forwards only, so a block is walked once, from its
 * row, and then read from its end. For one thread at a time; grows to the largest number of records in a block.
 */
public final class PriorRecords {

    private static final long NONE = -1;

    private final LogSession session;
    private final RecordCount count;
    private final BlockedClaim stall;
    private Segment segment;
    private int[] units = new int[64];
    private int size;
    private int next;
    private long from;
    private long to;

    public PriorRecords(LogSession session, Segment segment) {
        this.session = session;
        this.count = new RecordCount(session, segment);
        this.stall = new BlockedClaim(session);
        this.segment = segment;
    }

    /** Forgets the segment that the reader leaves. */
    void leaveSegment() {
        from = 0;
        to = 0;
        count.leaveSegment();
    }

    /** Returns the start of the last record before an offset of a segment; -1 when there is none in that segment. */
    public long before(Segment where, long offset) {
        if (where != segment) {
            leaveSegment();
            segment = where;
        }
        if (offset > from && offset <= to) {
            return within(offset);
        }
        long end = offset;
        while (end > where.head) {
            load(blockOf(end - 1), end);
            if (size > 0) {
                next = size - 1;
                return (long) units[next] * 8;
            }
            end = from;
        }
        return NONE;
    }

    /** Searches the loaded block, and the blocks before it where no record there begins earlier. */
    private long within(long offset) {
        while (next < size && (long) units[next] * 8 < offset) {
            next++;
        }
        while (next > 0 && (long) units[next - 1] * 8 >= offset) {
            next--;
        }
        if (next > 0) {
            return (long) units[--next] * 8;
        }
        return from <= segment.head ? NONE : before(segment, from);
    }

    /**
     * Walks over a block up to an offset, or to the first word that is not settled: records behind that are not readable yet.
     * If such a word stands before the block, the block counts as empty from that word on. So a claim that is settled just
     * then leaves no hole: the records between it and the block are left out, too.
     */
    private void load(int block, long end) {
        long begin = Math.max((long) block << SegmentLayout.BLOCK_SHIFT, segment.head);
        from = 0; // if the walk throws, nothing is loaded
        to = 0;
        size = 0;
        next = 0;
        count.beginInBlock(segment, segment.rows.nearest(block));
        boolean settled = count.walkOverDead(begin, Long.MAX_VALUE);
        long at = count.offset();
        if (!settled && at < begin) {
            checkNotLost(at);
            from = at;
            to = at;
            return;
        }
        while (settled && at < end) {
            long word = segment.wordAcquire(at);
            long next = RecordWord.state(word) == RecordWord.RESERVED ? passClaim(at, word) : pass(at, word);
            settled = next >= 0;
            at = settled ? next : at;
        }
        from = begin;
        to = Math.min(end, at);
    }

    /** Passes a settled word; returns -1 before FREE and END. */
    private long pass(long at, long word) {
        if (RecordWord.state(word) == RecordWord.FREE || RecordWord.isEnd(word)) {
            checkNotLost(at);
            return -1;
        }
        check(at, word);
        if (RecordWord.state(word) == RecordWord.COMMITTED) {
            add(at);
        }
        return segment.next(at, word);
    }

    /** Returns -1 before the claim of a live writer: the records behind it are not readable yet. */
    private long passClaim(long at, long word) {
        checkNotLost(at);
        return stall.passNow(segment, at, word);
    }

    private void check(long at, long word) {
        if (count.isChecking() && !segment.isSound(at, word, session.control.integrity())) {
            throw unsound(at);
        }
    }

    /** Fails where a word that is FREE or RESERVED was synced in another state. */
    private void checkNotLost(long at) {
        boolean durable = segment.position(at) < session.durablePosition();
        if (durable && RecordWord.state(segment.wordAcquire(at)) <= RecordWord.RESERVED) {
            throw unsound(at);
        }
    }

    private CorruptException unsound(long at) {
        return new CorruptException(segment.path + ": the record at position " + Position.toString(segment.position(at))
                + " fails its check");
    }

    private void add(long at) {
        if (size == units.length) {
            units = Arrays.copyOf(units, size * 2);
        }
        units[size++] = (int) (at / 8);
    }

    private static int blockOf(long offset) {
        return (int) (offset >>> SegmentLayout.BLOCK_SHIFT);
    }
}
