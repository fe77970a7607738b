package dev.larder.lab.text;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A file of words, little-endian.
 *
 * <pre>
 *  0 | magic "LARDTEXT"
 *  8 | version          i32 | 1
 * 12 | zero             i32 |
 * 16 | text bytes       i64 | T
 * 24 | words            i64 | W
 * 32 | SHA-256 of the text and the offsets, 32 bytes
 * 64 | text                 | words of UTF-8 with a space between them, a line feed after the last one of a record
 * 64 + T | offsets      i32 | in the text, of the words 0, 16, 32 ...
 * </pre>
 */
final class FragmentsLayout {

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** "LARDTEXT". */
    static final long MAGIC = 0x545845544452414CL;

    static final int VERSION = 1;

    static final int AT_MAGIC = 0;
    static final int AT_VERSION = 8;
    static final int AT_TEXT_BYTES = 16;
    static final int AT_WORDS = 24;
    static final int AT_DIGEST = 32;
    static final int AT_TEXT = 64;
    static final int DIGEST_BYTES = 32;

    /** Words from one offset that is kept to the next: a word is found by walking over fewer than these. */
    static final int WORDS_AN_OFFSET = 16;

    static final byte WORD_END = ' ';
    static final byte RECORD_END = '\n';

    private FragmentsLayout() {}

    /** Returns how many offsets are kept of so many words. */
    static long offsets(long words) {
        return (words + WORDS_AN_OFFSET - 1) / WORDS_AN_OFFSET;
    }
}
