package dev.larder.map.index;

import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.Placement;
import java.util.random.RandomGenerator;

/**
 * A walk over all pages of the index, which grows meanwhile: partition by partition, in the order of the reversed bits of the
 * hash. A page that splits during the walk becomes two neighbours in that order, so each hash is passed once. The walk may
 * stand between two pages that have become one. Then it passes on the rest of that page, as if the rest were a page.
 *
 * <pre>
 *  depth 2:   00  10  01  11      lowest bit first
 *              |  split: 010 110   the walk stands before 01, whatever has become of 10
 *              |  merge: 0         the walk stands before 10: only those words of 0 that end with 10
 * </pre>
 */
public final class IndexWalk {

    private static final int REVERSED_BITS = 32;
    private static final long REVERSED_MASK = (1L << REVERSED_BITS) - 1;

    private final Index index;
    private int partition;
    private long reversed;
    private int depth;
    private int partitionBefore;
    private long reversedBefore;

    /** Whether a page begins where the walk stands, or began there; otherwise the walk goes back to where one does. */
    private boolean aligned = true;

    /** Creates a walk from the first page on. */
    public IndexWalk(Index index) {
        this.index = index;
    }

    /** Creates a walk that continues at the {@link #cursor} of another one, however the index has grown or shrunk since. */
    public IndexWalk(Index index, long cursor) {
        this.index = index;
        this.partition = (int) (cursor >>> REVERSED_BITS);
        this.reversed = cursor & REVERSED_MASK;
        this.aligned = false;
    }

    /** Returns whether a number can be a {@link #cursor}. */
    public static boolean isCursor(long number) {
        return number >= 0 && number >>> REVERSED_BITS < Placement.PARTITIONS;
    }

    /** Returns a random cursor: each part of the index is as likely as it is large. */
    public static long randomCursor(RandomGenerator random) {
        long hash = random.nextLong();
        return (long) Placement.partition(hash) << REVERSED_BITS | Integer.toUnsignedLong((int) hash);
    }

    /** Returns where the walk stands, in 38 bits: the partition above 32 reversed bits of the hash; 0 at both ends. */
    public long cursor() {
        return partition == Placement.PARTITIONS ? 0 : (long) partition << REVERSED_BITS | reversed;
    }

    /** Receives a page that may be changing: every word may be a little old. */
    @FunctionalInterface
    public interface StepHandler {
        void onStep(PageWords step, long place);
    }

    /** Passes on the next page; returns false if there is none. The caller is pinned. */
    public boolean next(StepHandler handler) {
        if (partition == Placement.PARTITIONS) {
            return false;
        }
        partitionBefore = partition;
        reversedBefore = reversed;
        int hash = Integer.reverse((int) reversed);
        long word = index.stepOf(partition, hash);
        if (!aligned) {
            aligned = true;
            reversed &= ~(REVERSED_MASK >>> Directory.depth(word));
            hash = Integer.reverse((int) reversed);
        }
        PageWords words = words(hash, word);
        handler.onStep(words, IndexPageLayout.place(partition, depth, Placement.entry(hash, depth)));
        advance();
        return true;
    }

    /** Goes back to where the last page began, whatever has become of it. */
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

    /** Returns the depth of the largest page that could begin where the walk stands. */
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
