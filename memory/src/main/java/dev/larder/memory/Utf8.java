package dev.larder.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An encoder of UTF-8 (RFC 3629) straight into memory, without an array between. An unpaired surrogate becomes
 * {@code ?}.
 */
public final class Utf8 {

    private static final int REPLACEMENT = '?';

    private Utf8() {}

    /** Returns how many bytes a text takes. */
    public static int lengthBytes(CharSequence text) {
        long length = 0;
        for (int i = 0; i < text.length(); ) {
            int point = pointAt(text, i);
            length += lengthBytes(point);
            i += Character.charCount(point);
        }
        return Math.toIntExact(length);
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
        long at = offset;
        for (int i = 0; i < text.length(); ) {
            int point = pointAt(text, i);
            at = put(point, segment, at);
            i += Character.charCount(point);
        }
        return at;
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
