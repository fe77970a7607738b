package dev.larder.log.write;

/**
 * The note of an appender about its claim, in one word: a position, which is a multiple of 8, and how sure it is of it.
 *
 * <pre>
 * trying     position       stored before the compare-and-set    the claim may be another appender's
 * won        position | 1   stored after it                      the claim is this appender's
 * leaving    position | 2   stored before it is given up         this appender does not claim it any more
 * no claim   below 0
 * </pre>
 *
 * <p>An error of the JVM may end the call between any two of these stores. "Trying" is then all that is known. So an appender
 * that gives up asks the others: a position belongs to the appender that has won it.
 */
public final class ClaimMark {

    /** No claim. */
    public static final long NONE = -1;

    /** The mark of an appender on its way to another segment: the segment that it still names may not be touched any more. */
    public static final long MOVING = -2;

    private static final long WON = 1;
    private static final long LEAVING = 2;
    private static final long STATE = 7;

    private ClaimMark() {}

    /** Returns the mark of an appender that is about to claim a position. */
    public static long trying(long position) {
        assert (position & STATE) == 0 : position;
        return position;
    }

    /** Returns the mark of an appender that has claimed a position. */
    public static long won(long position) {
        return position | WON;
    }

    /** Returns the mark of an appender that gives a position up, without knowing whether it has claimed it. */
    static long leaving(long mark) {
        return position(mark) | LEAVING;
    }

    /** Returns whether a mark names a position. */
    public static boolean isClaim(long mark) {
        return mark >= 0;
    }

    /** Returns the position of a mark that names one; below 0 for any other mark. */
    public static long position(long mark) {
        return mark & ~STATE;
    }

    static boolean isWon(long mark) {
        return mark >= 0 && (mark & STATE) == WON;
    }
}
