package dev.larder.log.format;

import dev.larder.memory.Words;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/**
 * The bytes of a segment file.
 *
 * <pre>
 * 0        4096                            head                               limit
 * | header | rows: 32 B for each 1 MiB     | record | record | ... | END      |      one row at least
 *
 * row    | sealA 8 | sealB 8 | index 8 | time 8 |
 * seal   63                  32 31                14 13        0
 *       | CRC32C of the bytes  | bytes covered / 8  | zero      |     0: no seal
 * index, time: {@link RowWord}
 * </pre>
 *
 * Block {@code i} is the bytes of the records in {@code [i MiB, (i + 1) MiB)}; the first block begins at head.
 */
public final class SegmentLayout {

    public static final String FORMAT = "LOGSEG";
    public static final int VERSION = 1;
    public static final int HEADER_BYTES = 136;
    public static final long ROWS = 4096;
    public static final long ROW_BYTES = 32;
    public static final int BLOCK_SHIFT = 20;
    public static final long BLOCK_BYTES = 1L << BLOCK_SHIFT;
    public static final long SIZE_MIN_BYTES = 64L << 10;
    public static final long SIZE_MAX_BYTES = 4L << 30;

    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(64).withName("common header"),
                    Words.LONG.withName("number"),
                    Words.LONG.withName("salt"),
                    Words.LONG.withName("limit"),
                    Words.LONG.withName("head"),
                    Words.INT.withName("integrity"),
                    Words.INT.withName("stream"),
                    Words.LONG.withName("created"),
                    Words.LONG.withName("life"),
                    Words.LONG.withName("identity high"),
                    Words.LONG.withName("identity low"),
                    MemoryLayout.paddingLayout(56).withName("gap"),
                    Words.LONG.withName("hint"),
                    MemoryLayout.paddingLayout(56).withName("gap of hint"),
                    Words.LONG.withName("baseSequence"),
                    Words.LONG.withName("baseSequence check"),
                    Words.LONG.withName("began"),
                    MemoryLayout.paddingLayout(40).withName("gap of baseSequence"))
            .withName("segment header");

    public static final StructLayout ROW = MemoryLayout.structLayout(
                    Words.LONG.withName("sealA"),
                    Words.LONG.withName("sealB"),
                    Words.LONG.withName("index"),
                    Words.LONG.withName("time"))
            .withName("row");

    public static final long NUMBER = offsetOf("number");
    public static final long SALT = offsetOf("salt");
    public static final long LIMIT = offsetOf("limit");
    public static final long HEAD = offsetOf("head");
    public static final long INTEGRITY = offsetOf("integrity");
    static final long STREAM = offsetOf("stream");
    public static final long CREATED = offsetOf("created");
    public static final long LIFE = offsetOf("life");
    public static final long IDENTITY_HIGH = offsetOf("identity high");
    public static final long IDENTITY_LOW = offsetOf("identity low");
    public static final long HINT = offsetOf("hint");
    public static final long BASE_SEQUENCE = offsetOf("baseSequence");
    public static final long BASE_CHECK = offsetOf("baseSequence check");
    public static final long BEGAN = offsetOf("began");

    static {
        assert IDENTITY_LOW + 8 == HEADER_BYTES && HINT % 64 == 0 && HEADER.byteSize() <= ROWS;
        assert ROW.byteSize() == ROW_BYTES;
    }

    private SegmentLayout() {}

    private static long offsetOf(String field) {
        return HEADER.byteOffset(PathElement.groupElement(field));
    }

    /** Returns the offset at which the records begin in a segment of a size. */
    public static long head(long sizeBytes) {
        return (rowsEnd(sizeBytes) + 4095) & -4096L;
    }

    /** Returns how many blocks a segment of a size has: the only block of a small segment is not whole. */
    public static int blocks(long sizeBytes) {
        return (int) ((sizeBytes + BLOCK_BYTES - 1) >>> BLOCK_SHIFT);
    }

    /** Returns the end of the rows in a segment of a size. */
    public static long rowsEnd(long sizeBytes) {
        return ROWS + blocks(sizeBytes) * ROW_BYTES;
    }

    /** Returns the offset of the row of the block that a byte lies in. */
    public static long row(long offset) {
        return ROWS + (offset >>> BLOCK_SHIFT) * ROW_BYTES;
    }

    public static String fileName(int number) {
        return String.format(java.util.Locale.ROOT, "%010d.seg", number);
    }

    /** Returns the segment number that a file name carries, or -1. */
    public static int numberOf(String fileName) {
        boolean fits = fileName.length() == 14
                && fileName.endsWith(".seg")
                && fileName.chars().limit(10).allMatch(c -> c >= '0' && c <= '9');
        long number = fits ? Long.parseLong(fileName.substring(0, 10)) : -1;
        return number <= Integer.MAX_VALUE ? (int) number : -1;
    }
}
