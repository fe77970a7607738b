package dev.larder.log.format;

/**
 * The 64-bit word that a record begins with, and that alone defines the record's state.
 *
 * <pre>
 *        63                  32 31 30 29                        0
 *       | owner or check       | state | length of the payload   |   payload, padded to 8 ...
 *
 * 00 FREE       the whole word is 0: the end of the chain
 * 01 RESERVED   | slot 16 | generation 16 |   the writer that is filling it
 * 10 COMMITTED  | check 32                |   fold(salt, position, length, state) ^ CRC32C(payload) in mode RECORD
 * 11 PADDING    | kind 8  | check 24      |   skipped by readers; length 2^30-1 is END, up to the limit
 * </pre>
 *
 * A word goes FREE to RESERVED to COMMITTED or PADDING, each step by a compare-and-set of the exact word, and never
 * back. The salt is new in every segment and is never shown, so a payload cannot imitate a word's check.
 */
public final class RecordWord {

    public static final int BYTES = 8;
    public static final long FREE = 0;
    public static final int RESERVED = 1;
    public static final int COMMITTED = 2;
    public static final int PADDING = 3;

    /** The length of the longest payload that a word can hold; less than {@link #END_LENGTH}. */
    public static final int LENGTH_MAX = (1 << 30) - 16;

    static final int END_LENGTH = (1 << 30) - 1;

    /** The kind of a padding that was a claim: its writer died, or failed. */
    public static final int KIND_ABANDONED = 0;

    /** The kind of the padding that ends a segment. */
    static final int KIND_END = 1;

    private static final int STATE_SHIFT = 30;
    private static final int CHECK_24 = 0x00FF_FFFF;

    private RecordWord() {}

    public static int state(long word) {
        return (int) (word >>> STATE_SHIFT) & 3;
    }

    public static int length(long word) {
        return (int) word & END_LENGTH;
    }

    /** Returns the bytes from one word to the next for a payload length. */
    public static long sizeBytes(long length) {
        return (BYTES + length + 7) & ~7L;
    }

    public static boolean isEnd(long word) {
        return (word & 0xFFFF_FFFFL) == 0xFFFF_FFFFL;
    }

    /** Returns the slot and generation of a RESERVED word's writer: slot in the upper 16 bits. */
    public static int owner(long word) {
        return (int) (word >>> 32);
    }

    static int paddingKind(long word) {
        return (int) (word >>> 56);
    }

    public static long reserved(int length, int owner) {
        return ((long) owner << 32) | ((long) RESERVED << STATE_SHIFT) | length;
    }

    /** Returns the COMMITTED word; {@code payloadCrc} is 0 where payloads are not checked one by one. */
    public static long committed(long salt, long position, int length, int payloadCrc) {
        long low = ((long) COMMITTED << STATE_SHIFT) | length;
        return ((long) (fold(salt, position, low) ^ payloadCrc) << 32) | low;
    }

    public static long padding(long salt, long position, int length, int kind) {
        long low = ((long) PADDING << STATE_SHIFT) | length;
        return ((long) ((kind << 24) | (fold(salt, position, low) & CHECK_24)) << 32) | low;
    }

    public static long end(long salt, long position) {
        return padding(salt, position, END_LENGTH, KIND_END);
    }

    /** Returns whether a COMMITTED or PADDING word carries the check of its place. */
    public static boolean isSound(long word, long salt, long position, int payloadCrc) {
        int check = (int) (word >>> 32);
        int expected = fold(salt, position, word & 0xFFFF_FFFFL);
        return switch (state(word)) {
            case COMMITTED -> check == (expected ^ payloadCrc);
            case PADDING -> (check & CHECK_24) == (expected & CHECK_24);
            default -> false;
        };
    }

    /** Mixes salt, position and the low half of the word (length and state) to 32 bits. */
    public static int fold(long salt, long position, long lengthAndState) {
        long mixed = (salt ^ position) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ (mixed >>> 32) ^ lengthAndState) * 0xD6E8_FEB8_6659_FD93L;
        return (int) (mixed >>> 32);
    }
}
