package dev.larder.map.index;

import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.Placement;

/**
 * A walk over all steps of the index, which grows meanwhile: partition by partition, in the order of the reversed bits of
 * the hash. A step that splits under the walk becomes two neighbours in that order: so each hash is passed once. Where
 * two that the walk stands between have become one, what it has not passed of that is handed over, as if it were a step.
 *
 * <pre>
 *  depth 2:   00  10  01  11      lowest bit first
 *              |  split: 010 110   the walk stands before 01, whatever has become of 10
 *              |  merge: 0         the walk stands before 10: those words of 0 alone that end with 10
 * </pre>
 */
public final class IndexWalk {

    private final Index index;
    private int partition;
    private long reversed;
    private int depth;
    private int partitionBefore;
    private long reversedBefore;

    public IndexWalk(Index index) {
        this.index = index;
    }

    /** Takes a step, which is being changed: every word may be a little old. */
    @FunctionalInterface
    public interface StepHandler {
        void onStep(PageWords step, long place);
    }

    /**
     * Hands over the next step; returns false when there is none. The caller is pinned.
     */
    public boolean next(StepHandler handler) {
        if (partition == Placement.PARTITIONS) {
            return false;
        }
        partitionBefore = partition;
        reversedBefore = reversed;
        int hash = Integer.reverse((int) reversed);
        PageWords words = words(hash, index.stepOf(partition, hash));
        handler.onStep(words, IndexPageLayout.place(partition, depth, Placement.entry(hash, depth)));
        advance();
        return true;
    }

    /** Goes back to where the last step began, whatever has become of it. */
    public void back() {
        partition = partitionBefore;
        reversed = reversedBefore;
    }

    private PageWords words(int hash, long word) {
        int found = Directory.depth(word);
        depth = Math.max(found, leastDepth());
        PageWords words = index.words(word);
        return depth == found ? words : words.of(depth, Placement.entry(hash, depth));
    }

    /** Returns the depth of the greatest step that could begin where the walk stands. */
    private int leastDepth() {
        return reversed == 0 ? 0 : 32 - Long.numberOfTrailingZeros(reversed);
    }

    private void advance() {
        reversed = Directory.after(reversed, depth);
        if (reversed == Directory.END) {
            reversed = 0;
            partition++;
        }
    }
}
