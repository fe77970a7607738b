package dev.larder.map;

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
    private int depth;

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
        FrozenStep words = null;
        while (words == null) {
            long word = index.stepOf(partition, hash);
            depth = Directory.depth(word);
            words = index.words(partition, Placement.entry(hash, depth), word);
        }
        handler.onStep(words, IndexStepLayout.place(partition, depth, Placement.entry(hash, depth)));
        advance();
        return true;
    }

    private void advance() {
        long width = END >>> depth;
        reversed = (reversed & -width) + width;
        if (reversed == END) {
            reversed = 0;
            partition++;
        }
    }
}
