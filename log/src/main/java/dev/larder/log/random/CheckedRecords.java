package dev.larder.log.random;

import dev.larder.log.IntegrityMode;
import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.segment.Seals;
import dev.larder.log.segment.Segment;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Storage;
import java.lang.foreign.MemorySegment;

/**
 * The committed records of a segment that has ended and is durable, in their order. Each is proven to be what was written
 * before it is handed over, whether its bytes come from memory or from the disk. For copying: a damaged byte must not get a
 * sound check.
 *
 * <pre>
 * mode RECORD   each record by its own check
 * mode SEAL     each block by its seals, as the walk comes to it
 * mode NONE     each word, and no payload
 * </pre>
 *
 * Blocks are loaded, and their seals checked, some ahead of the walk ({@link BlocksAhead}). For one thread; to be closed
 * before the segment is released.
 */
public final class CheckedRecords implements AutoCloseable {

    private final Segment segment;
    private final Storage storage;
    private final IntegrityMode integrity;
    private final BlocksAhead blocks;
    private final Crc32c crc = new Crc32c();
    private int checkedBlocks;
    private long next;
    private long at;
    private long word;

    CheckedRecords(HeldSegment held, Storage storage, IntegrityMode integrity) {
        this.segment = held.segment;
        this.storage = storage;
        this.integrity = integrity;
        this.blocks = new BlocksAhead(SegmentLayout.blocks(segment.limit), this::check);
        this.next = segment.head;
    }

    /**
     * Goes to the next record; returns false at the end of the segment.
     *
     * @throws CorruptException when something is not what was written; the same again at every further call
     */
    public boolean next() {
        step();
        while (RecordWord.state(word) == RecordWord.PADDING && !RecordWord.isEnd(word)) {
            step();
        }
        return !RecordWord.isEnd(word);
    }

    /**
     * Goes to the record at a position that another class has found; {@link #next} continues from there.
     *
     * @throws CorruptException when no committed record stands there, or it is not what was written
     */
    public void goTo(long position) {
        next = Position.offset(position);
        step();
        if (RecordWord.state(word) != RecordWord.COMMITTED) {
            throw new CorruptException(segment.path + ": no record is at position " + Position.toString(position)
                    + ", to which an index points");
        }
    }

    private void step() {
        long here = next;
        checkBlocks(here);
        long found = segment.wordAcquire(here);
        checkWord(here, found);
        long end = RecordWord.isEnd(found) ? here : segment.next(here, found);
        checkBlocks(end - 1);
        at = here;
        word = found;
        next = end;
    }

    private void checkWord(long here, long found) {
        boolean settled =
                RecordWord.state(found) == RecordWord.COMMITTED || RecordWord.state(found) == RecordWord.PADDING;
        if (!settled || !segment.isSound(here, found, integrity, crc)) {
            throw new CorruptException(
                    segment.path + ": the record at position " + Position.toString(segment.position(here))
                            + (settled ? " fails its check" : " was synced, and is gone"));
        }
    }

    private void checkBlocks(long offset) {
        int last = (int) (offset >>> SegmentLayout.BLOCK_SHIFT);
        if (checkedBlocks <= last) {
            blocks.await(last);
            checkedBlocks = last + 1;
        }
    }

    /** Loads a block, and checks its seals. */
    private void check(int block) {
        bringIn(block);
        if (integrity == IntegrityMode.SEAL) {
            checkSeals(block);
        }
    }

    /**
     * Loads a block by a call, so that no thread waits for the disk inside a page fault. The next block is being read
     * meanwhile.
     */
    private void bringIn(int block) {
        if (!storage.isResident(range(block))) {
            if (end(block) < segment.limit) {
                storage.startReading(range(block + 1));
            }
            storage.bringIn(range(block), segment.path, (long) block << SegmentLayout.BLOCK_SHIFT);
        }
    }

    private MemorySegment range(int block) {
        long begin = (long) block << SegmentLayout.BLOCK_SHIFT;
        return segment.memory.asSlice(begin, end(block) - begin);
    }

    private long end(int block) {
        return Math.min((long) (block + 1) << SegmentLayout.BLOCK_SHIFT, segment.limit);
    }

    private void checkSeals(int block) {
        long sound = Seals.soundEnd(segment, block);
        if (sound < Seals.claimedEnd(segment, block)) {
            throw new CorruptException(segment.path + ": block " + block + " (from position "
                    + Position.toString(segment.position(start(block))) + ") fails its seal");
        }
    }

    private long start(int block) {
        return Math.max((long) block << SegmentLayout.BLOCK_SHIFT, segment.head);
    }

    @Override
    public void close() {
        blocks.close();
    }

    /** Returns the position of the record. */
    public long position() {
        return segment.position(at);
    }

    /** Returns the length of its payload. */
    public int length() {
        return RecordWord.length(word);
    }

    /** Returns the memory that it lies in, its payload from {@link LogRecords#payload} on. */
    public MemorySegment bytes() {
        return segment.view;
    }
}
