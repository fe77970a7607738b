package dev.larder.map;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The way from a hash to its step: for each partition an entry for each value of the lowest bits of the hash.
 *
 * <pre>
 *  63       38 37    32 31        0
 * | generation | depth  | step + 1  |      0: empty, a shorter suffix counts
 *
 * level 0   entry 0 of each partition
 * level n   entries 2^(n-1) to 2^n - 1 of each partition
 * </pre>
 *
 * A split adds one entry and touches no other. Entries of one bit length are a level, which is made when the first
 * partition needs it, and is never moved.
 */
final class Directory {

    /** The greatest depth: two bits of the tag are left, which name the line in a group. */
    static final int DEPTH_MAX = IndexWord.TAG_BITS - 2;

    private static final int DEPTH_SHIFT = 32;
    private static final int GENERATION_SHIFT = 38;

    private final AtomicReferenceArray<@Nullable AtomicLongArray> levels = new AtomicReferenceArray<>(DEPTH_MAX + 1);
    private final AtomicIntegerArray depths = new AtomicIntegerArray(Placement.PARTITIONS);

    Directory() {
        makeLevel(0);
    }

    static int step(long word) {
        assert (int) word != 0;
        return (int) word - 1;
    }

    static int depth(long word) {
        return (int) (word >>> DEPTH_SHIFT) & 0x3F;
    }

    /** Returns the word of a step that comes after another word in an entry: no word comes twice. */
    static long next(long word, int step, int depth) {
        long generation = (word >>> GENERATION_SHIFT) + 1;
        return (generation << GENERATION_SHIFT) | ((long) depth << DEPTH_SHIFT) | (step + 1);
    }

    private static int level(int entry) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(entry);
    }

    private static int index(int partition, int entry, int level) {
        int width = level == 0 ? 1 : 1 << (level - 1);
        return partition * width + (entry - (level == 0 ? 0 : width));
    }

    int depthOf(int partition) {
        return depths.get(partition);
    }

    long get(int partition, int entry) {
        int level = level(entry);
        AtomicLongArray words = levels.get(level);
        return words == null ? 0 : words.get(index(partition, entry, level));
    }

    boolean compareAndSet(int partition, int entry, long expected, long word) {
        int level = level(entry);
        return made(level).compareAndSet(index(partition, entry, level), expected, word);
    }

    private AtomicLongArray made(int level) {
        AtomicLongArray words = levels.get(level);
        return words == null ? makeLevel(level) : words;
    }

    private AtomicLongArray makeLevel(int level) {
        int width = level == 0 ? 1 : 1 << (level - 1);
        AtomicLongArray made = new AtomicLongArray(width * Placement.PARTITIONS);
        AtomicLongArray there = levels.compareAndExchange(level, null, made);
        return there == null ? made : there;
    }

    /** Lets look-ups of a partition begin with entries of so many bits, before there is one that counts. */
    void deepen(int partition, int depth) {
        made(depth);
        depths.accumulateAndGet(partition, depth, Math::max);
    }

    /**
     * Returns the entry of a partition that counts for a hash, {@code -1} where it changed under the look: begin again.
     * Entries that were empty are looked at once more, after the one that counts: else a split that has just ended would
     * lead to the half which does not have the key.
     */
    int find(int partition, long hash) {
        int longest = Placement.entry(hash, depths.get(partition));
        int entry = longest;
        long word = get(partition, entry);
        while (word == 0) {
            entry &= ~Integer.highestOneBit(entry);
            word = get(partition, entry);
        }
        boolean covers = Placement.entry(hash, depth(word)) == entry;
        return covers && areEmpty(partition, longest, entry) ? entry : -1;
    }

    private boolean areEmpty(int partition, int longest, int found) {
        int entry = longest;
        while (entry != found && get(partition, entry) == 0) {
            entry &= ~Integer.highestOneBit(entry);
        }
        return entry == found;
    }
}
