package dev.larder.map.format;

/**
 * The state of a page of the index: a word that all processes share.
 *
 * <pre>
 *  63 62    61     47                     0
 * | kind | bare | 0 | owner, or epoch       |
 *
 * 0 NEVER        no process ever had it
 * 1 MADE         by its owner; only the owner knows of it, unless a decision names it
 * 2 USED         in the directory, or about to be
 * 3 LEFT         out of the directory; free once all threads have left that were inside in its epoch; 0: at once
 *                bare: its memory may have been released, and is allocated again before use
 *
 * NEVER, LEFT -> MADE -> USED -> LEFT          MADE -> LEFT: not wanted, or its owner is dead
 * </pre>
 *
 * Each transition is one compare-and-set, so two processes never have the same page. A process that dies in between leaves a
 * page whose state tells what is to become of it.
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

    /** Returns the state of a page whose owner is dead: no process knows whether it has its memory. */
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
