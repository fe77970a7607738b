package dev.larder.log.segment;

import dev.larder.log.format.RowWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.memory.Words;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The sparse index of a segment. For each block of 1 MiB it holds the first word that begins there, and the number of records
 * before that word. It also holds the time at which the record that reaches into the block was appended. No entry is trusted
 * without its check; an unknown one is found by walking.
 *
 * <p>A settled prefix never changes, so the index is a pure function of it. The thread that walks first stores the index, and
 * storing it twice is harmless. If the file cannot be written, the process keeps the index.
 */
public final class BlockRows {

    private static final long INDEX = 16;
    private static final long TIME = 24;

    private final Segment segment;
    private volatile @Nullable AtomicLongArray own;
    private volatile @Nullable CountedPoints points;

    BlockRows(Segment segment, boolean writable) {
        this.segment = segment;
        if (!writable) {
            keepToThisProcess();
        }
    }

    /** Keeps what walkers find in this process: the file is read-only, or a store into it might find no space. */
    void keepToThisProcess() {
        own = new AtomicLongArray(count());
    }

    public int count() {
        return SegmentLayout.blocks(segment.limit);
    }

    private static long start(int block) {
        return (long) block << SegmentLayout.BLOCK_SHIFT;
    }

    private long positionOf(int block) {
        return segment.position(start(block));
    }

    /** Returns the counted points within blocks. */
    public CountedPoints points() {
        CountedPoints known = points;
        if (known == null) {
            known = new CountedPoints(segment.limit); // if several threads make one at once, any of them will do
            points = known;
        }
        return known;
    }

    /** Returns the index of a block, or {@link RowWord#UNKNOWN}. */
    public long index(int block) {
        if (block == 0) {
            return RowWord.index(segment.salt, positionOf(0), 0, segment.head);
        }
        long stored = Words.getAcquire(segment.memory, SegmentLayout.row(start(block)) + INDEX);
        if (isPossible(block, stored)) {
            return stored;
        }
        AtomicLongArray known = own;
        return known == null ? RowWord.UNKNOWN : known.getAcquire(block);
    }

    private boolean isPossible(int block, long index) {
        return RowWord.isIndex(index, segment.salt, positionOf(block))
                && start(block) + RowWord.offsetInBlock(index) <= segment.limit - Segment.END_ROOM_BYTES;
    }

    /** Returns the offset of the first word of a block whose index is known. */
    public long offset(int block) {
        return start(block) + RowWord.offsetInBlock(index(block));
    }

    /** Returns the greatest block, from one downwards, whose index is known; the first block's always is. */
    public int nearest(int block) {
        int known = block;
        while (index(known) == RowWord.UNKNOWN) {
            known--;
        }
        return known;
    }

    /** Stores the index of the block in which an offset lies: the first word there, and the records before it. */
    public void remember(long offset, long records) {
        AtomicLongArray known = own;
        if (known == null) {
            store(offset, records);
        } else {
            known.setRelease(block(offset), indexAt(offset, records));
        }
    }

    /** Stores the index in the file, in any case: for the holder of SYNC, which also seals there. */
    public void store(long offset, long records) {
        long at = SegmentLayout.row(offset) + INDEX;
        long index = indexAt(offset, records);
        if (block(offset) > 0 && Words.getAcquire(segment.memory, at) != index) {
            Words.setRelease(segment.memory, at, index);
        }
    }

    long indexAt(long offset, long records) {
        int block = block(offset);
        return RowWord.index(segment.salt, positionOf(block), records, offset - start(block));
    }

    private static int block(long offset) {
        return (int) (offset >>> SegmentLayout.BLOCK_SHIFT);
    }

    /** Returns when the record that reaches into a block was appended, in milliseconds; 0 if it is unknown. */
    public long timeMillis(int block) {
        long stored = Words.getAcquire(segment.memory, SegmentLayout.row(start(block)) + TIME);
        return RowWord.isTime(stored, segment.salt, positionOf(block)) ? RowWord.millis(stored) : 0;
    }

    /** Stores the time of the block in which an offset lies. Called by the writer whose record reaches into the block. */
    public void noteTime(long offset, long millis) {
        long time = RowWord.time(segment.salt, positionOf(block(offset)), millis);
        Words.compareAndSet(segment.memory, SegmentLayout.row(offset) + TIME, RowWord.UNKNOWN, time);
    }

    /**
     * Stores the clock's time when a writer claimed the segment's first record. It may go back from one segment to the next;
     * the times of blocks never do.
     */
    public void noteBegan(long millis) {
        long began = RowWord.began(segment.salt, segment.position(0), Math.clamp(millis, 0, RowWord.MILLIS_MAX));
        Words.compareAndSet(segment.memory, SegmentLayout.BEGAN, RowWord.UNKNOWN, began);
    }

    /** Returns the clock's time when the first record was claimed; 0 if it is unknown. */
    public long beganMillis() {
        long stored = Words.getAcquire(segment.memory, SegmentLayout.BEGAN);
        return RowWord.isBegan(stored, segment.salt, segment.position(0)) ? RowWord.millis(stored) : 0;
    }

    /** Returns the first known time ({@link #lastTimeMillis} the last one); 0 if none is known. */
    public long firstTimeMillis() {
        return timeFrom(0, count(), 1);
    }

    public long lastTimeMillis() {
        return timeFrom(count() - 1, -1, -1);
    }

    private long timeFrom(int block, int end, int step) {
        for (int at = block; at != end; at += step) {
            long millis = timeMillis(at);
            if (millis != 0) {
                return millis;
            }
        }
        return 0;
    }

    /** Returns the index word of a block as it stands in the file, whether its check passes or not. */
    public long storedIndex(int block) {
        return Words.getAcquire(segment.memory, SegmentLayout.row(start(block)) + INDEX);
    }

    public long storedTime(int block) {
        return Words.getAcquire(segment.memory, SegmentLayout.row(start(block)) + TIME);
    }

    /** Returns how many records were committed before this segment; -1 if it is unknown. */
    public long baseSequence() {
        long check = Words.getAcquire(segment.memory, SegmentLayout.BASE_CHECK);
        long base = Words.getAcquire(segment.memory, SegmentLayout.BASE_SEQUENCE);
        boolean known = base > 0 && check == baseCheck(base);
        return known ? base - 1 : segment.number == 0 ? 0 : -1;
    }

    /** Stores the base sequence in the header, if the header may be written. */
    public void baseSequence(long records) {
        if (own == null) {
            storeBaseSequence(records);
        }
    }

    /** Stores the base sequence in any case: the value first, then its check. All threads that know it write the same. */
    public void storeBaseSequence(long records) {
        if (baseSequence() != records) {
            Words.setRelease(segment.memory, SegmentLayout.BASE_SEQUENCE, records + 1);
            Words.setRelease(segment.memory, SegmentLayout.BASE_CHECK, baseCheck(records + 1));
        }
    }

    /** Returns whether all of the base sequence was stored, sound or not. The check is stored last: a later read finds both. */
    public boolean hasBaseSequence() {
        return Words.getAcquire(segment.memory, SegmentLayout.BASE_CHECK) != 0;
    }

    private long baseCheck(long base) {
        return RowWord.baseCheck(segment.salt, segment.position(0), base);
    }
}
