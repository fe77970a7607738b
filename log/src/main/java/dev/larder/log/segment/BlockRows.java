package dev.larder.log.segment;

import dev.larder.log.format.RowWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.memory.Words;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The sparse index of a segment: for each block of 1 MiB the first word that begins there with the number of records
 * before it, and the time at which the record that reaches into the block was appended. None is believed without its
 * check; what is not known yet is found by walking.
 *
 * <p>A settled prefix never changes, so the index is a pure function of it: who walks first leaves it, and twice is
 * harmless. Where the file cannot be written it is kept by the process.
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

    /** What walkers find stays in this process: the file is read-only, or a store into it might find no space. */
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

    /** Returns the points within blocks. */
    public CountedPoints points() {
        CountedPoints known = points;
        if (known == null) {
            known = new CountedPoints(segment.limit); // one of several at once is as good as another
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

    /** Returns where the first word of a block stands, of which the index is known. */
    public long offset(int block) {
        return start(block) + RowWord.offsetInBlock(index(block));
    }

    /** Returns the greatest block, from one downwards, of which the index is known; the first always is. */
    public int nearest(int block) {
        int known = block;
        while (index(known) == RowWord.UNKNOWN) {
            known--;
        }
        return known;
    }

    /** Leaves the index of the block that an offset lies in: the first word there, and the records before it. */
    public void remember(long offset, long records) {
        AtomicLongArray known = own;
        if (known == null) {
            store(offset, records);
        } else {
            known.setRelease(block(offset), indexAt(offset, records));
        }
    }

    /** Leaves it in the file, in any case: for the holder of SYNC, who seals there too. */
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

    /** Returns when the record was appended that reaches into a block, in milliseconds; 0 where it is unknown. */
    public long timeMillis(int block) {
        long stored = Words.getAcquire(segment.memory, SegmentLayout.row(start(block)) + TIME);
        return RowWord.isTime(stored, segment.salt, positionOf(block)) ? RowWord.millis(stored) : 0;
    }

    /** Leaves the time of the block that an offset lies in; by the writer whose record reaches into it. */
    public void noteTime(long offset, long millis) {
        long time = RowWord.time(segment.salt, positionOf(block(offset)), millis);
        Words.compareAndSet(segment.memory, SegmentLayout.row(offset) + TIME, RowWord.UNKNOWN, time);
    }

    /**
     * Leaves what the clock of the writer said that has claimed the segment's first record. It may go back from one segment
     * to the next, which times of blocks never do.
     */
    public void noteBegan(long millis) {
        long began = RowWord.began(segment.salt, segment.position(0), Math.clamp(millis, 0, RowWord.MILLIS_MAX));
        Words.compareAndSet(segment.memory, SegmentLayout.BEGAN, RowWord.UNKNOWN, began);
    }

    /** Returns what the clock said when the first record was claimed; 0 where nobody knows. */
    public long beganMillis() {
        long stored = Words.getAcquire(segment.memory, SegmentLayout.BEGAN);
        return RowWord.isBegan(stored, segment.salt, segment.position(0)) ? RowWord.millis(stored) : 0;
    }

    /** Returns the first known time, or the last one; 0 where none is. */
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

    /** Returns the index word of a block as it stands in the file, believed or not. */
    public long storedIndex(int block) {
        return Words.getAcquire(segment.memory, SegmentLayout.row(start(block)) + INDEX);
    }

    public long storedTime(int block) {
        return Words.getAcquire(segment.memory, SegmentLayout.row(start(block)) + TIME);
    }

    /** Returns how many records were committed before this segment; -1 where it is unknown. */
    public long baseSequence() {
        long check = Words.getAcquire(segment.memory, SegmentLayout.BASE_CHECK);
        long base = Words.getAcquire(segment.memory, SegmentLayout.BASE_SEQUENCE);
        boolean known = base > 0 && check == baseCheck(base);
        return known ? base - 1 : segment.number == 0 ? 0 : -1;
    }

    /** Leaves it in the header, where that may be written. */
    public void baseSequence(long records) {
        if (own == null) {
            storeBaseSequence(records);
        }
    }

    /** Leaves it in any case: the value first, its check after it. All who know it write the same. */
    public void storeBaseSequence(long records) {
        if (baseSequence() != records) {
            Words.setRelease(segment.memory, SegmentLayout.BASE_SEQUENCE, records + 1);
            Words.setRelease(segment.memory, SegmentLayout.BASE_CHECK, baseCheck(records + 1));
        }
    }

    /** Returns whether all of it was stored, believed or not: the check comes last. Who asks after that finds both. */
    public boolean hasBaseSequence() {
        return Words.getAcquire(segment.memory, SegmentLayout.BASE_CHECK) != 0;
    }

    private long baseCheck(long base) {
        return RowWord.baseCheck(segment.salt, segment.position(0), base);
    }
}
