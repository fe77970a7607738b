package dev.larder.log.segment;

import dev.larder.log.format.SegmentLayout;
import dev.larder.memory.Storage;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;

/** A set of blocks of a mapped segment: one bit per block. */
public final class BlockSet {

    private final AtomicLongArray bits;

    public BlockSet(long segmentBytes) {
        this.bits = new AtomicLongArray((SegmentLayout.blocks(segmentBytes) + 63) >>> 6);
    }

    /** Returns the blocks of a segment that are not wholly in memory. */
    static BlockSet absent(MemorySegment memory, Storage storage) {
        BlockSet absent = new BlockSet(memory.byteSize());
        for (long at = 0; at < memory.byteSize(); at += SegmentLayout.BLOCK_BYTES) {
            long bytes = Math.min(SegmentLayout.BLOCK_BYTES, memory.byteSize() - at);
            if (!storage.isResident(memory.asSlice(at, bytes))) {
                absent.add((int) (at >>> SegmentLayout.BLOCK_SHIFT));
            }
        }
        return absent;
    }

    public boolean contains(int block) {
        return ((bits.getPlain(block >>> 6) >>> block) & 1) != 0;
    }

    public void add(int block) {
        bits.getAndUpdate(block >>> 6, word -> word | (1L << block));
    }
}
