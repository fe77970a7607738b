package dev.larder.map.index;

/**
 * What becomes of a frozen page: a word of its header, set once except as shown below.
 *
 * <pre>
 *  63 62 61            32 31             0
 * | 0   | second + 1     | child + 1      |     ALONE    two pages of it, or one: no second
 * | 1   | 0              | child + 1      |     BOTH     of the lower of two neighbours: one page of both
 * | 2   | generation     | neighbour + 1  |     CLAIMED  of the upper: waits for the lower, which has this word in the directory
 * | 3   | 0              | child + 1      |     MERGED   of the upper: the lower has decided for one page of both
 *
 * 0 -> ALONE          0 -> BOTH          0 -> CLAIMED -> MERGED          CLAIMED -> ALONE: the lower has decided otherwise
 * </pre>
 */
final class Decision {

    static final long NONE = 0;

    private static final int KIND_SHIFT = 62;
    private static final long BOTH = 1;
    private static final long CLAIMED = 2;
    private static final long MERGED = 3;

    private Decision() {}

    /** Returns the decision of a page for itself: {@code second} is -1 if it becomes one. */
    static long alone(int child, int second) {
        return ((long) (second + 1) << 32) | (child + 1);
    }

    static long both(int child) {
        return (BOTH << KIND_SHIFT) | (child + 1);
    }

    /** Returns the decision of the upper of two to wait for the lower's, which the directory leads to by this word. */
    static long claimed(long lower) {
        return (CLAIMED << KIND_SHIFT) | Directory.identity(lower);
    }

    static long merged(int child) {
        return (MERGED << KIND_SHIFT) | (child + 1);
    }

    static boolean isAlone(long decision) {
        return decision != NONE && decision >>> KIND_SHIFT == 0;
    }

    static boolean isBoth(long decision) {
        return decision >>> KIND_SHIFT == BOTH;
    }

    static boolean isClaimed(long decision) {
        return decision >>> KIND_SHIFT == CLAIMED;
    }

    static boolean isMerged(long decision) {
        return decision >>> KIND_SHIFT == MERGED;
    }

    /** Returns whether a page that decided for itself becomes two. */
    static boolean isSplit(long decision) {
        return isAlone(decision) && decision >>> 32 != 0;
    }

    /** Returns the page that it becomes, or the first of two. */
    static int child(long decision) {
        assert !isClaimed(decision) && decision != NONE;
        return (int) decision - 1;
    }

    static int second(long decision) {
        assert isSplit(decision);
        return (int) (decision >>> 32) - 1;
    }

    /** Returns whether a decision names a page that is about to come into the directory. */
    static boolean names(long decision, int step) {
        return (isAlone(decision) || isBoth(decision))
                && (child(decision) == step || (isSplit(decision) && second(decision) == step));
    }
}
