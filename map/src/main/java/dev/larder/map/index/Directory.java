package dev.larder.map.index;

import static dev.larder.map.format.IndexFileLayout.DEPTHS_AT;
import static dev.larder.map.format.IndexFileLayout.DIRECTORY_AT;

import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.Placement;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.IndexFullException;
import dev.larder.memory.Words;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.MemorySegment;

/**
 * The way from a hash to its page: for each partition an entry for each value of the lowest bits of the hash.
 *
 * <pre>
 *  63       38   37   36   32 31        0
 * | generation | zero | depth  | page + 1  |      page + 1 = 0: empty, a shorter suffix counts
 *
 * level 0   entry 0 of each partition
 * level n   entries 2^(n-1) to 2^n - 1 of each partition
 * </pre>
 *
 * A split adds one entry, a merge empties one, and neither touches any other. No word comes twice in an entry. Entries of one
 * bit length form a level. Its memory is allocated when the first partition needs it, and is never moved.
 */
public final class Directory {

    /** The end of the reversed hashes, behind the last. */
    static final long END = 1L << 32;

    private static final int DEPTH_SHIFT = 32;
    private static final int DEPTH = 0x1F;
    private static final int GENERATION_SHIFT = 38;

    private final IndexFile file;
    private final MemorySegment memory;
    private volatile int backedDepth = -1;

    public Directory(IndexFile file) {
        this.file = file;
        this.memory = file.memory();
    }

    /** Returns whether a word leads nowhere: a shorter suffix counts. */
    public static boolean isEmpty(long word) {
        return (int) word == 0;
    }

    public static int step(long word) {
        assert !isEmpty(word);
        return (int) word - 1;
    }

    public static int depth(long word) {
        return (int) (word >>> DEPTH_SHIFT) & DEPTH;
    }

    /** Returns the word of a page that follows another word in an entry: no word comes twice. */
    public static long next(long word, int step, int depth) {
        long generation = (word >>> GENERATION_SHIFT) + 1;
        return (generation << GENERATION_SHIFT) | ((long) depth << DEPTH_SHIFT) | (step + 1);
    }

    /** Returns the word of an entry that becomes empty again. */
    public static long emptied(long word) {
        return ((word >>> GENERATION_SHIFT) + 1) << GENERATION_SHIFT;
    }

    /** Returns the page of a word, plus one, below its generation: a value that no other word of the same entry has. */
    static long identity(long word) {
        assert !isEmpty(word);
        return ((word >>> GENERATION_SHIFT) << 32) | (int) word;
    }

    /** Returns where the word of an entry is. The words of one bit length lie together, by partition. */
    static long at(int partition, int entry) {
        int width = Integer.highestOneBit(entry);
        long number = width == 0 ? partition : ((long) Placement.PARTITIONS + partition - 1) * width + entry;
        return DIRECTORY_AT + 8 * number;
    }

    public int depthOf(int partition) {
        return depthOf(memory, 0, partition);
    }

    /** Returns the depth of a partition of an index that begins at an offset of some memory. */
    static int depthOf(MemorySegment memory, long index, int partition) {
        return (int) Words.getVolatile(memory, RawMemory.word(index + DEPTHS_AT + 8L * partition));
    }

    public long get(int partition, int entry) {
        return get(memory, 0, partition, entry);
    }

    private static long get(MemorySegment memory, long index, int partition, int entry) {
        return Words.getVolatile(memory, RawMemory.word(index + at(partition, entry)));
    }

    /** Returns a word again, for a caller that only compares it. */
    long getOpaque(int partition, int entry) {
        return Words.getOpaque(memory, at(partition, entry));
    }

    public boolean compareAndSet(int partition, int entry, long expected, long word) {
        return Words.compareAndSet(memory, at(partition, entry), expected, word);
    }

    /** Receives an entry that is not empty. */
    @FunctionalInterface
    interface EntryHandler {
        void onEntry(int partition, int entry, long word);
    }

    /** Passes on the entry that counts for each hash, in the order of the reversed bits, so that none overlap. */
    void forEach(EntryHandler handler) {
        for (int partition = 0; partition < Placement.PARTITIONS; partition++) {
            long reversed = 0;
            while (reversed < END) {
                int hash = Integer.reverse((int) reversed);
                long word = stepOf(partition, hash);
                handler.onEntry(partition, Placement.entry(hash, depth(word)), word);
                reversed = after(reversed, depth(word));
            }
        }
    }

    /** Returns the end of the reversed hashes with the same lowest {@code depth} bits; {@link #END} behind the last. */
    static long after(long reversed, int depth) {
        long width = END >>> depth;
        return (reversed & -width) + width;
    }

    /** Returns how many entries a page of the index has. */
    long alive(int step) {
        return Words.getAcquire(memory, IndexFileLayout.step(step) + IndexPageLayout.ALIVE);
    }

    /** Allocates the memory of all entries of up to {@code depth} bits; other processes may have done so. */
    private void back(int depth) {
        if (depth > backedDepth) {
            file.back(DIRECTORY_AT, (8L * Placement.PARTITIONS) << depth);
            backedDepth = depth;
        }
    }

    /**
     * Lets lookups of a partition begin with entries of {@code depth} bits, before one of them counts.
     *
     * @throws IndexFullException if there is no memory for such entries
     */
    public void deepen(int partition, int depth) {
        back(depth);
        Words.raise(memory, DEPTHS_AT + 8L * partition, depth);
    }

    /** Returns the word of the page for a hash; it stands in the entry of as many bits as the page is deep. */
    long stepOf(int partition, long hash) {
        long word = 0;
        while (word == 0) {
            word = find(memory, 0, partition, hash, depthOf(partition));
        }
        return word;
    }

    /**
     * Returns the word of the entry that counts for a hash; 0 if it changed during the search. The partition has {@code
     * depth} bits; the index begins at an offset of some memory. Empty entries are read once more, after the one that counts.
     * Otherwise a split that has just ended would lead to the half without the key. A merge that has not ended would lead to
     * the page that does not count yet.
     */
    static long find(MemorySegment memory, long index, int partition, long hash, int depth) {
        int longest = Placement.entry(hash, depth);
        int entry = longest;
        long word = get(memory, index, partition, entry);
        while (isEmpty(word) && entry != 0) {
            entry &= ~Integer.highestOneBit(entry);
            word = get(memory, index, partition, entry);
        }
        boolean covers = !isEmpty(word) && Placement.entry(hash, depth(word)) == entry;
        return covers && areEmpty(memory, index, partition, longest, entry) ? word : 0;
    }

    private static boolean areEmpty(MemorySegment memory, long index, int partition, int longest, int found) {
        int entry = longest;
        while (entry != found && isEmpty(get(memory, index, partition, entry))) {
            entry &= ~Integer.highestOneBit(entry);
        }
        return entry == found;
    }
}
