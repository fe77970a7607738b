package dev.larder.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * An encoder of UTF-8 (RFC 3629) straight into memory, without an array between. An unpaired surrogate becomes
 * {@code ?}.
 */
public final class Utf8 {

    private static final int REPLACEMENT = '?';

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Utf8() {}

    /** Returns how many bytes a text takes. */
    public static int lengthBytes(CharSequence text) {
        int plain = plainRun(text);
        long length = plain;
        for (int i = plain; i < text.length(); ) {
            int point = pointAt(text, i);
            length += lengthBytes(point);
            i += Character.charCount(point);
        }
        return Math.toIntExact(length);
    }

    /** Returns how many characters at the start of a text take one byte each, rounded down to words. */
    private static int plainRun(CharSequence text) {
        int words = text.length() & -Long.BYTES;
        int i = 0;
        while (i < words && isPlain(text, i)) {
            i += Long.BYTES;
        }
        return i;
    }

    private static boolean isPlain(CharSequence text, int from) {
        int all = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            all |= text.charAt(from + i);
        }
        return all < 0x80;
    }

    private static int lengthBytes(int point) {
        return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    }

    private static int pointAt(CharSequence text, int index) {
        int point = Character.codePointAt(text, index);
        boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        return half ? REPLACEMENT : point;
    }

    /** Writes a text from an offset on; returns the offset after it. */
    public static long encode(CharSequence text, MemorySegment segment, long offset) {
        return encode(text, segment, offset, Long.MAX_VALUE);
    }

    /**
     * Writes a text into exactly the bytes that it took before, when {@link #lengthBytes(CharSequence)} counted them. It
     * writes no byte behind them.
     *
     * @throws IllegalStateException if the text takes more or fewer bytes by now: another thread has changed it
     */
    public static void encodeExactly(CharSequence text, MemorySegment segment, long offset, int length) {
        if (encodeWithin(text, segment, offset, offset + length) != offset + length) {
            throw changed(null);
        }
    }

    private static long encodeWithin(CharSequence text, MemorySegment segment, long offset, long end) {
        try {
            return encode(text, segment, offset, end);
        } catch (IndexOutOfBoundsException e) {
            throw changed(e); // it is shorter than a moment before
        }
    }

    private static IllegalStateException changed(@Nullable IndexOutOfBoundsException cause) {
        return new IllegalStateException("the text changed while it was appended", cause);
    }

    /** Writes a text, but no byte at {@code end} or behind it. */
    private static long encode(CharSequence text, MemorySegment segment, long offset, long end) {
        int plain = putPlain(text, segment, offset, end);
        long at = offset + plain;
        for (int i = plain; i < text.length(); ) {
            int point = pointAt(text, i);
            if (lengthBytes(point) > end - at) {
                throw changed(null);
            }
            at = put(point, segment, at);
            i += Character.charCount(point);
        }
        return at;
    }

    /** Writes the {@link #plainRun} of a text, a word of eight characters at once; returns how many those are. */
    private static int putPlain(CharSequence text, MemorySegment segment, long offset, long end) {
        int words = (int) Math.min(text.length(), end - offset) & -Long.BYTES;
        int i = 0;
        while (i < words && isPlain(text, i)) {
            segment.set(WORD, offset + i, word(text, i));
            i += Long.BYTES;
        }
        return i;
    }

    private static long word(CharSequence text, int from) {
        long word = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            word |= (long) text.charAt(from + i) << (i * Byte.SIZE);
        }
        return word;
    }

    private static long put(int point, MemorySegment segment, long at) {
        int more = lengthBytes(point) - 1;
        int lead = more == 0 ? point : (0xF0 << (3 - more) & 0xFF) | (point >>> (6 * more));
        segment.set(ValueLayout.JAVA_BYTE, at, (byte) lead);
        for (int i = 1; i <= more; i++) {
            segment.set(ValueLayout.JAVA_BYTE, at + i, (byte) (0x80 | ((point >>> (6 * (more - i))) & 0x3F)));
        }
        return at + 1 + more;
    }
}
