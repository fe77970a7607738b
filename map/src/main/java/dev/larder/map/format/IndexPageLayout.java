package dev.larder.map.format;

import dev.larder.memory.Words;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/**
 * The byte layout of a page of the index, 64 KiB.
 *
 * <pre>
 * 0        64                                          61504                65536
 * | header | 240 groups of 4 lines of 64 bytes         | 63 overflow lines  |
 *
 * group     | 8 words | 8 words | 8 words | 7 words, link |
 * overflow  | 7 words, link |                                link: number of an overflow line from 1 on; 0: none
 * </pre>
 */
public final class IndexPageLayout {

    public static final int SHIFT = 16;
    public static final int BYTES = 1 << SHIFT;
    public static final int LINE_BYTES = 64;
    public static final int GROUPS = 240;
    public static final int GROUP_LINES = 4;
    public static final int OVERFLOW_LINES = 63;

    /** How many words of keys the groups hold, without overflow. */
    public static final int CAPACITY = GROUPS * 31;

    /** How many words of keys one group holds with all overflow lines. */
    public static final int GROUP_MAX = 31 + OVERFLOW_LINES * 7;

    public static final int GROUP_BYTES = GROUP_LINES * LINE_BYTES;

    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    Words.LONG.withName("place"),
                    Words.LONG.withName("decision"),
                    Words.LONG.withName("alive"),
                    Words.LONG.withName("overflow"),
                    Words.LONG.withName("from"),
                    Words.LONG.withName("check"),
                    MemoryLayout.paddingLayout(16).withName("reserved"))
            .withName("step header");

    public static final long PLACE = offsetOf("place");
    public static final long DECISION = offsetOf("decision");
    public static final long ALIVE = offsetOf("alive");
    public static final long OVERFLOW = offsetOf("overflow");
    public static final long CHECK = offsetOf("check");
    public static final long GROUPS_AT = HEADER.byteSize();
    public static final long OVERFLOW_AT = GROUPS_AT + (long) GROUPS * GROUP_BYTES;

    /** Where the link lies in the last line of a group, and in an overflow line. */
    public static final int LINK = LINE_BYTES - 8;

    static {
        assert OVERFLOW_AT + (long) OVERFLOW_LINES * LINE_BYTES == BYTES;
    }

    private IndexPageLayout() {}

    private static long offsetOf(String field) {
        return HEADER.byteOffset(PathElement.groupElement(field));
    }

    public static long group(int group) {
        return GROUPS_AT + (long) group * GROUP_BYTES;
    }

    /** Returns where an overflow line begins, by its number from 1 on. */
    public static long overflowLine(long number) {
        return OVERFLOW_AT + (number - 1) * LINE_BYTES;
    }

    /** Returns the word that says which hashes a page is for: those in a partition whose lowest bits equal a prefix. */
    public static long place(int partition, int depth, int prefix) {
        return ((long) partition << 48) | ((long) depth << 32) | prefix;
    }

    public static int partition(long place) {
        return (int) (place >>> 48);
    }

    public static int depth(long place) {
        return (int) (place >>> 32) & 0xFFFF;
    }

    public static int prefix(long place) {
        return (int) place;
    }
}
