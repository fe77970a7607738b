package dev.larder.map.format;

/**
 * The word of an entry in the index.
 *
 * <pre>
 *  63        44    43      42      41      40   39                        0
 * | tag 20     | frozen | removal | visited | dead | place of the record 40 |      0: EMPTY
 * </pre>
 *
 * A slot goes from EMPTY to the word of one key, and then from word to word of that key, or to dead. It never goes back until
 * its page is rebuilt. <i>frozen</i> is set before a page is rebuilt, in every word of a line up to and including its first
 * EMPTY word. From then on no compare-and-set of a writer succeeds. <i>dead</i> marks a removal, or an entry that was evicted
 * or has expired, once nothing of its key is left in the log. <i>visited</i>: the entry was used since its record was
 * written, or carried. It is set in maps that evict, and where uses are noted.
 */
public final class IndexWord {

    public static final long EMPTY = 0;
    public static final long FROZEN = 1L << 43;
    public static final long REMOVAL = 1L << 42;
    public static final long VISITED = 1L << 41;
    public static final long DEAD = 1L << 40;
    public static final int TAG_BITS = 20;

    /** The greatest depth of a page: two bits of the tag are left, which name the line in a group. */
    public static final int DEPTH_MAX = TAG_BITS - 2;

    static final int PLACE_BITS = 40;

    private static final int TAG_SHIFT = 44;
    private static final long PLACE = (1L << PLACE_BITS) - 1;

    private IndexWord() {}

    public static long of(int tag, long place, boolean removal) {
        assert (place & ~PLACE) == 0 && place != 0 : place;
        return ((long) tag << TAG_SHIFT) | (removal ? REMOVAL : 0) | place;
    }

    public static int tag(long word) {
        return (int) (word >>> TAG_SHIFT);
    }

    public static long place(long word) {
        return word & PLACE;
    }

    public static boolean isRemoval(long word) {
        return (word & REMOVAL) != 0;
    }

    public static boolean isVisited(long word) {
        return (word & VISITED) != 0;
    }

    public static boolean isFrozen(long word) {
        return (word & FROZEN) != 0;
    }

    /** Returns the word as it was before its page was frozen. */
    public static long thawed(long word) {
        return word & ~FROZEN;
    }

    /** Returns whether a word, thawed, stands for a key: an entry, or the removal of one. */
    public static boolean isOfKey(long word) {
        return word != EMPTY && (word & DEAD) == 0;
    }

    /** Returns whether a word, thawed, names an entry of the map. */
    public static boolean isAlive(long word) {
        return isOfKey(word) && !isRemoval(word);
    }
}
