package dev.larder.log.format;

/**
 * The words of a segment's header and rows that lead to a record by its sequence, or by the time at which it was appended. The
 * sequence is the number of records committed before it.
 *
 * <pre>
 * index   63                     32 31                 15 14       0
 *        | records before it in    | offset in the block  | check    |   of the first word that begins in the block
 *        | the segment             | / 8                  |          |
 * time    63                                    16 15             0
 *        | milliseconds since 1970-01-01T00:00Z   | check           |
 * </pre>
 *
 * 0 means that the value is not known yet. The checks include the salt and the place, so that no word passes for a word of
 * another block, or of another life of the file.
 */
public final class RowWord {

    public static final long UNKNOWN = 0;
    public static final long MILLIS_MAX = (1L << 48) - 1;

    private static final int OFFSET_SHIFT = 15;
    private static final int RECORDS_SHIFT = 32;
    private static final int INDEX_CHECK = (1 << OFFSET_SHIFT) - 1;
    private static final long OFFSET_MASK = (1L << (RECORDS_SHIFT - OFFSET_SHIFT)) - 1;
    private static final int TIME_SHIFT = 16;
    private static final int TIME_CHECK = (1 << TIME_SHIFT) - 1;

    /** The kinds of words in the checks, told apart by bits that the position of a block does not have. */
    private static final int INDEX = 1;

    private static final int TIME = 2;
    private static final int BASE = 3;
    private static final int BEGAN = 4;

    private RowWord() {}

    /** Returns the index word of the block at a position: the offset of the first word that begins there, and its number. */
    public static long index(long salt, long block, long records, long offsetInBlock) {
        long value = (records << (RECORDS_SHIFT - OFFSET_SHIFT)) | (offsetInBlock / 8);
        return (value << OFFSET_SHIFT) | (RecordWord.fold(salt, block | INDEX, value) & INDEX_CHECK);
    }

    public static boolean isIndex(long word, long salt, long block) {
        long check = RecordWord.fold(salt, block | INDEX, word >>> OFFSET_SHIFT) & INDEX_CHECK;
        return word != UNKNOWN && (word & INDEX_CHECK) == check;
    }

    public static long records(long index) {
        return index >>> RECORDS_SHIFT;
    }

    public static long offsetInBlock(long index) {
        return ((index >>> OFFSET_SHIFT) & OFFSET_MASK) * 8;
    }

    public static long time(long salt, long block, long millis) {
        return (millis << TIME_SHIFT) | (RecordWord.fold(salt, block | TIME, millis) & TIME_CHECK);
    }

    public static boolean isTime(long word, long salt, long block) {
        long check = RecordWord.fold(salt, block | TIME, word >>> TIME_SHIFT) & TIME_CHECK;
        return word != UNKNOWN && (word & TIME_CHECK) == check;
    }

    public static long millis(long time) {
        return time >>> TIME_SHIFT;
    }

    /** Returns the word with the time of the clock when the first record of a segment was claimed. */
    public static long began(long salt, long segment, long millis) {
        return (millis << TIME_SHIFT) | (RecordWord.fold(salt, segment | BEGAN, millis) & TIME_CHECK);
    }

    public static boolean isBegan(long word, long salt, long segment) {
        long check = RecordWord.fold(salt, segment | BEGAN, word >>> TIME_SHIFT) & TIME_CHECK;
        return word != UNKNOWN && (word & TIME_CHECK) == check;
    }

    /** Returns the check of a segment's base sequence; never 0. */
    public static long baseCheck(long salt, long segment, long base) {
        return (1L << 32) | Integer.toUnsignedLong(RecordWord.fold(salt, segment | BASE, base));
    }
}
