package dev.larder.log;

import java.util.concurrent.atomic.AtomicLongArray;

/** Which blocks of a mapped segment this process has found, or made, sound: a bit a block. */
final class VerifiedBlocks {

    private final AtomicLongArray bits;

    VerifiedBlocks(long segmentBytes) {
        this.bits = new AtomicLongArray((int) (((segmentBytes >>> SegmentLayout.BLOCK_SHIFT) + 63) >>> 6));
    }

    boolean contains(int block) {
        return ((bits.getPlain(block >>> 6) >>> block) & 1) != 0;
    }

    void add(int block) {
        bits.getAndUpdate(block >>> 6, word -> word | (1L << block));
    }
}
