package dev.larder.log;

import dev.larder.log.Pins.Lane;
import dev.larder.memory.CorruptException;

/**
 * A segment whose records are looked at by their positions. What comes from the disk is checked, block by block, as a
 * reader does that comes by: see {@link ColdBlocks}.
 */
final class HeldSegment {

    final Segment segment;
    final Lane lane;
    private final LogSession session;
    private final IntegrityMode integrity;
    private final boolean checkingAll;

    /** Whether there is a block that nobody may have checked. */
    private final boolean doubtful;

    /** The blocks that were brought in and checked against their seals. */
    private final BlockSet entered;

    HeldSegment(LogSession session, Segment segment, Lane lane) {
        this.session = session;
        this.segment = segment;
        this.lane = lane;
        this.integrity = session.control.integrity();
        this.checkingAll = session.options.access().verifyReads();
        this.entered = new BlockSet(segment.limit);
        this.doubtful = checkingAll || hasAbsentBlocks(segment);
    }

    private static boolean hasAbsentBlocks(Segment segment) {
        for (int block = 0; block < segment.limit >>> SegmentLayout.BLOCK_SHIFT; block++) {
            if (segment.wasAbsent(block)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the length of a record's payload; -1 when it was a claim, and is committed now. */
    int length(long position) {
        long at = Position.offset(position);
        long word = segment.wordAcquire(at);
        if (RecordWord.state(word) == RecordWord.RESERVED) {
            commit(position);
            return -1;
        }
        if (RecordWord.state(word) != RecordWord.COMMITTED) {
            throw new CorruptException(segment.path + ": no record is at position " + Position.toString(position)
                    + ", where one is linked");
        }
        long next = segment.next(at, word);
        if (doubtful) {
            check(at, next, word);
        }
        return RecordWord.length(word);
    }

    /** Makes a claim COMMITTED, whoever is its owner: the check is computed from what it holds. Returns the word then. */
    long commit(long position) {
        long at = Position.offset(position);
        long word = segment.wordAcquire(at);
        if (RecordWord.state(word) != RecordWord.RESERVED) {
            return word;
        }
        int crc = integrity == IntegrityMode.RECORD ? segment.crcOf(at, word) : 0;
        long committed = RecordWord.committed(segment.salt, position, RecordWord.length(word), crc);
        return Words.compareAndSet(segment.memory, at, word, committed) ? committed : segment.wordAcquire(at);
    }

    /** Makes a claim padding; a record that somebody has committed stays one. */
    void abandon(long position) {
        long at = Position.offset(position);
        long word = segment.wordAcquire(at);
        if (RecordWord.state(word) == RecordWord.RESERVED) {
            int length = RecordWord.length(word);
            long padding = RecordWord.padding(segment.salt, position, length, RecordWord.KIND_ABANDONED);
            Words.compareAndSet(segment.memory, at, word, padding);
        }
    }

    private void check(long at, long next, long word) {
        for (int block = blockOf(at); block <= blockOf(next - 1); block++) {
            if (isDoubtful(block) && !entered.contains(block)) {
                enter(block);
            }
        }
        boolean alone = integrity != IntegrityMode.SEAL && isDoubtful(blockOf(at));
        if (alone && !segment.isSound(at, word, integrity)) {
            throw new CorruptException(segment.path + ": the record at position "
                    + Position.toString(segment.position(at)) + " fails its check");
        }
    }

    private static int blockOf(long at) {
        return (int) (at >>> SegmentLayout.BLOCK_SHIFT);
    }

    private boolean isDoubtful(int block) {
        return checkingAll || segment.wasAbsent(block);
    }

    /** Brings a block in and checks its seals; what fails is checked again by the next one who comes. */
    private void enter(int block) {
        long start = Math.max((long) block << SegmentLayout.BLOCK_SHIFT, segment.head);
        new ColdBlocks(session, SegmentLayout.BLOCK_BYTES).enter(segment, start);
        entered.add(block);
    }
}
