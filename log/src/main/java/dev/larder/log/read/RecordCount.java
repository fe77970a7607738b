package dev.larder.log.read;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.log.Position;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.RowWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.segment.CountedPoints;
import dev.larder.log.segment.Segment;
import dev.larder.memory.CorruptException;
import java.util.concurrent.locks.LockSupport;

/**
 * A walk over the settled words of one segment that counts the records it passes. It begins at the nearest known row, stores
 * the rows that it passes, and loads blocks as a reader does. For one thread at a time; allocates nothing.
 */
final class RecordCount {

    private static final long WAIT_MAX_NANOS = 30_000_000_000L;

    private final LogSession session;
    private final ColdBlocks blocks;
    private final BlockedClaim stall;
    private Segment segment;
    private long offset;
    private long records;
    private long checkAt;
    private boolean begun;

    RecordCount(LogSession session, Segment segment) {
        this.session = session;
        this.blocks = new ColdBlocks(session, SegmentLayout.BLOCK_BYTES);
        this.stall = new BlockedClaim(session);
        this.segment = segment;
    }

    long offset() {
        return offset;
    }

    /** Returns how many records of the segment stand before {@link #offset}. */
    long records() {
        return records;
    }

    /** Returns whether the records of the block must be checked as they are passed. */
    boolean isChecking() {
        return blocks.isChecking();
    }

    /** Forgets the walk's place, since the reader leaves the segment. */
    void leaveSegment() {
        begun = false;
    }

    /** Moves to the nearest known word at or before an offset at which a word begins. */
    void beginAt(Segment where, long upTo) {
        boolean onTheWay = begun && where == segment && offset <= upTo && blockOf(offset) == blockOf(upTo);
        if (!onTheWay) {
            int block = where.rows.nearest(blockOf(upTo));
            boolean behind = where.rows.offset(block) > upTo;
            beginInBlock(where, behind ? where.rows.nearest(block - 1) : block);
        }
    }

    /** Moves to the first word of a block whose index is known, or of an earlier block where that index is not plausible. */
    void beginInBlock(Segment where, int known) {
        boolean entered = begun && where == segment && blockOf(offset) == known;
        segment = where;
        int block = known;
        stand(block, entered);
        while (block > 0 && !isBelieved()) {
            block = where.rows.nearest(block - 1);
            stand(block, false);
        }
    }

    private void stand(int block, boolean entered) {
        offset = segment.rows.offset(block);
        records = RowWord.records(segment.rows.index(block));
        if (!entered) {
            blocks.leaveSegment();
            enterBlock();
        }
    }

    /**
     * Returns whether a row is plausible. A wrong row has a sound check once in 32,768 times; the word that it leads to has
     * one too.
     */
    private boolean isBelieved() {
        long word = segment.wordAcquire(offset);
        return RecordWord.state(word) <= RecordWord.RESERVED
                || segment.isSound(offset, word, session.control.integrity());
    }

    private void enterBlock() {
        begun = false;
        blocks.enter(segment, offset);
        checkAt = (offset | (SegmentLayout.BLOCK_BYTES - 1)) + 1;
        begun = true;
    }

    /**
     * Walks to the first word at or behind an offset, or to the record that has so many before it. Returns false where it
     * stops before a word that is not settled, or the segment's END.
     */
    boolean walk(long upTo, long recordsBefore) {
        while (offset < upTo) {
            comeBy();
            skip(Math.min(upTo, checkAt - 1), recordsBefore);
            long end = CountedPoints.strideEnd(offset);
            if (!walkInStride(Math.min(upTo, end), recordsBefore) && !passAbandoned()) {
                return isRecord(recordsBefore);
            }
            if (offset >= end) {
                segment.rows.points().remember(offset, records);
            }
        }
        comeBy();
        return true;
    }

    /**
     * Walks as {@link #walk} does, and over each claim on its way that will never be committed. It resolves the claim of a dead
     * writer at once: a caller that does not wait does not come back. Returns false where it stops before a word that is not
     * settled, or the segment's END.
     */
    boolean walkOverDead(long upTo, long recordsBefore) {
        boolean there = walk(upTo, recordsBefore);
        while (!there && passClaim()) {
            there = walk(upTo, recordsBefore);
        }
        return there;
    }

    /** Returns whether the walk goes on at the claim where it has stopped; not if that was settled meanwhile. */
    private boolean passClaim() {
        long word = segment.wordAcquire(offset);
        long next = RecordWord.state(word) == RecordWord.RESERVED ? stall.passNow(segment, offset, word) : -1;
        if (next >= 0) {
            offset = next;
        }
        return next >= 0;
    }

    /** Continues from the last point in the block that does not lie beyond the walk's target. */
    private void skip(long upTo, long recordsMost) {
        long point = segment.rows.points().last(offset, upTo, recordsMost);
        if (point != CountedPoints.UNKNOWN) {
            offset = CountedPoints.offset(point);
            records = CountedPoints.records(point);
        }
    }

    /**
     * Walks within a stride. Uses locals, since it passes thousands of words. Returns whether it came to the end; otherwise it
     * stops before the word that held it up.
     */
    private boolean walkInStride(long end, long recordsBefore) {
        Segment where = segment;
        boolean checking = blocks.isChecking();
        long at = offset;
        long passed = records;
        boolean on = true;
        while (on && at < end) {
            long word = where.wordAcquire(at);
            boolean committed = RecordWord.state(word) == RecordWord.COMMITTED;
            if (checking) {
                check(at, word);
            }
            on = committed ? passed != recordsBefore : isPadding(word);
            if (on) {
                passed += committed ? 1 : 0;
                at = where.next(at, word);
            }
        }
        offset = at;
        records = passed;
        return on;
    }

    /**
     * Passes a claim that will never be committed, where the session is read-only; else {@link #before} or
     * {@link #walkOverDead} has it resolved.
     */
    private boolean passAbandoned() {
        long word = segment.wordAcquire(offset);
        boolean abandoned = RecordWord.state(word) == RecordWord.RESERVED
                && session.isReadOnly()
                && session.view().isAbandoned(segment, offset, word);
        if (abandoned) {
            offset = segment.next(offset, word);
        }
        return abandoned;
    }

    private boolean isRecord(long recordsBefore) {
        return records == recordsBefore && RecordWord.state(segment.wordAcquire(offset)) == RecordWord.COMMITTED;
    }

    private static boolean isPadding(long word) {
        return RecordWord.state(word) == RecordWord.PADDING && !RecordWord.isEnd(word);
    }

    /** Stores the row of a block that the walk has entered. */
    private void comeBy() {
        if (offset >= checkAt) {
            segment.rows.remember(offset, records);
            enterBlock();
        }
    }

    private void check(long at, long word) {
        boolean settled = RecordWord.state(word) > RecordWord.RESERVED && !RecordWord.isEnd(word);
        if (settled && !segment.isSound(at, word, session.control.integrity())) {
            throw unsound(at);
        }
    }

    private CorruptException unsound(long at) {
        return new CorruptException(segment.path + ": the record at position " + Position.toString(segment.position(at))
                + " fails its check");
    }

    /**
     * Returns how many records of a segment were committed before an offset at which a word begins. Waits for live writers
     * before it, and resolves the claims of dead writers.
     *
     * @throws LogBusyException when a live writer holds the count up for 30 s
     */
    long before(Segment where, long upTo) {
        beginAt(where, upTo);
        long start = 0;
        while (!walk(upTo, Long.MAX_VALUE)) {
            long word = segment.wordAcquire(offset);
            session.checkNotVoid(segment.number, segment.position(offset));
            if (RecordWord.isEnd(word) || isLost(word)) {
                throw unsound(offset);
            }
            long now = session.storage.nanoTime();
            start = start == 0 ? now : start;
            await(word, now - start);
        }
        return records;
    }

    /**
     * Returns whether a word is FREE before a later word that is not. Reads it again, since it may have been claimed
     * meanwhile.
     */
    private boolean isLost(long word) {
        return word == RecordWord.FREE && segment.wordAcquire(offset) == RecordWord.FREE;
    }

    private void await(long word, long waitedNanos) {
        if (waitedNanos > WAIT_MAX_NANOS) {
            throw new LogBusyException(segment.path + ": the record at " + Position.toString(segment.position(offset))
                    + " is still being written by the process in slot " + (RecordWord.owner(word) >>> 16)
                    + "; later records have no sequence yet");
        }
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new InterruptedWaitException("interrupted while counting records of " + segment.path);
        }
        if (waitedNanos < BlockedClaim.LOOK_NANOS) {
            Thread.onSpinWait();
        } else if (stall.pass(segment, offset, word) < 0) {
            LockSupport.parkNanos(BlockedClaim.LOOK_NANOS);
        }
    }

    private static int blockOf(long offset) {
        return (int) (offset >>> SegmentLayout.BLOCK_SHIFT);
    }
}
