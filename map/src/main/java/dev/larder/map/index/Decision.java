package dev.larder.map.index;

/**
 * What becomes of a frozen step: a word of its header, set once where nothing else is said.
 *
 * <pre>
 *  63 62 61            32 31             0
 * | 0   | second + 1     | child + 1      |     ALONE    two steps of it, or one: no second
 * | 1   | 0              | child + 1      |     BOTH     of the lower of two neighbours: one step of both
 * | 2   | generation     | neighbour + 1  |     CLAIMED  of the upper: as the word of the lower in the directory decides
 * | 3   | 0              | child + 1      |     MERGED   of the upper: the lower has decided for one step of both
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

    /** A step decided for itself: {@code second} is -1 where it becomes one. */
    static long alone(int child, int second) {
        return ((long) (second + 1) << 32) | (child + 1);
    }

    static long both(int child) {
        return (BOTH << KIND_SHIFT) | (child + 1);
    }

    /** The upper of two waits for the decision of the lower, which the directory leads to by this word. */
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

    /** Returns whether a step that decided for itself becomes two. */
    static boolean isSplit(long decision) {
        return isAlone(decision) && decision >>> 32 != 0;
    }

    /** Returns the step that it becomes, or the first of two. */
    static int child(long decision) {
        assert !isClaimed(decision) && decision != NONE;
        return (int) decision - 1;
    }

    static int second(long decision) {
        assert isSplit(decision);
        return (int) (decision >>> 32) - 1;
    }

    /** Returns whether it names a step that is about to come into the directory. */
    static boolean names(long decision, int step) {
        return (isAlone(decision) || isBoth(decision))
                && (child(decision) == step || (isSplit(decision) && second(decision) == step));
    }
}
