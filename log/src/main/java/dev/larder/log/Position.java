package dev.larder.log;

/**
 * The position of a record, which names it for ever: {@code segment << 32 | offset}, a positive long.
 *
 * <pre>
 *  63 62                    32 31                     0
 * | 0 | segment number, 31    | byte offset, 32        |
 * </pre>
 *
 * <p>Offsets are multiples of 8. A later record has a greater position.
 */
public final class Position {

    private Position() {}

    /** Returns the position of an offset in a segment. */
    public static long of(int segment, long offset) {
        assert segment >= 0 && offset >= 0 && offset <= 1L << 32 && (offset & 7) == 0 : segment + ":" + offset;
        return ((long) segment << 32) + offset;
    }

    /** Returns the segment number of a position. */
    public static int segment(long position) {
        return (int) (position >>> 32);
    }

    /** Returns the byte offset of a position within its segment. */
    public static long offset(long position) {
        return position & 0xFFFF_FFFFL;
    }

    /** Returns the position in readable form: {@code segment:offset}. */
    public static String toString(long position) {
        return segment(position) + ":" + offset(position);
    }
}
