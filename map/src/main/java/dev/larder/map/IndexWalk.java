package dev.larder.map;

import java.lang.foreign.MemorySegment;

/**
 * A walk over all steps of the index, which grows meanwhile: partition by partition, in the order of the reversed bits of
 * the hash. A step that splits under the walk becomes two neighbours in that order: so each hash is passed once.
 *
 * <pre>
 *  depth 2:   00  10  01  11      lowest bit first
 *              |  split: 010 110   the walk stands before 01, whatever has become of 10
 * </pre>
 */
final class IndexWalk {

    private static final long END = 1L << 32;

    private final Index index;
    private int partition;
    private long reversed;

    IndexWalk(Index index) {
        this.index = index;
    }

    /** Takes a step, which is being changed: every word may be a little old. */
    @FunctionalInterface
    interface StepHandler {
        void onStep(FrozenStep step, long place);
    }

    /**
     * Hands over the next step; returns false when there is none. The caller is pinned.
     */
    boolean next(StepHandler handler) {
        if (partition == Placement.PARTITIONS) {
            return false;
        }
        int hash = Integer.reverse((int) reversed);
        long word = index.stepOf(partition, hash);
        int step = Directory.step(word);
        int depth = Directory.depth(word);
        MemorySegment memory = index.memory().memory(step);
        handler.onStep(
                new FrozenStep(memory, IndexMemory.base(step)),
                IndexStepLayout.place(partition, depth, Placement.entry(hash, depth)));
        advance(depth);
        return true;
    }

    private void advance(int depth) {
        long width = END >>> depth;
        reversed = (reversed & -width) + width;
        if (reversed == END) {
            reversed = 0;
            partition++;
        }
    }
}
