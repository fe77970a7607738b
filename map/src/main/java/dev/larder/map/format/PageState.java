package dev.larder.map.format;

/**
 * The state of a step of the index, a word that all processes share.
 *
 * <pre>
 *  63 62    61     47                     0
 * | kind | bare | 0 | owner, or epoch       |
 *
 * 0 NEVER        nobody ever had it
 * 1 MADE         by its owner, who alone knows of it, unless a decision names it
 * 2 USED         in the directory, or about to come there
 * 3 LEFT         out of the directory; it may be had when all have left who were inside in its epoch; 0: at once
 *                bare: its memory may have been given back, and is asked for again before
 *
 * NEVER, LEFT -> MADE -> USED -> LEFT          MADE -> LEFT: not wanted, or its owner is dead
 * </pre>
 *
 * Each is one compare-and-set, so two processes never have one step, and whoever dies in between leaves a step whose state
 * tells what is to become of it.
 */
public final class PageState {

    public static final long NEVER = 0;
    public static final long USED = 2L << 62;
    public static final long FREE = 3L << 62;
    public static final long BARE = FREE | 1L << 61;

    private static final int KIND_SHIFT = 62;
    private static final long VALUE = (1L << 48) - 1;

    private PageState() {}

    public static long made(int owner) {
        return (1L << KIND_SHIFT) | Integer.toUnsignedLong(owner);
    }

    public static long left(long epoch) {
        assert (epoch & ~VALUE) == 0 : epoch;
        return FREE | epoch;
    }

    /** The state of a step whose owner is dead: whether it has its memory nobody knows. */
    public static long leftBare(long epoch) {
        return BARE | left(epoch);
    }

    public static boolean isBare(long state) {
        return (state & BARE) == BARE;
    }

    public static boolean isMade(long state) {
        return state >>> KIND_SHIFT == 1;
    }

    public static boolean isUsed(long state) {
        return state == USED;
    }

    public static boolean isLeft(long state) {
        return state >>> KIND_SHIFT == 3;
    }

    public static int owner(long state) {
        return (int) state;
    }

    public static long epoch(long state) {
        return state & VALUE;
    }
}
