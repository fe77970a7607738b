package dev.larder.tests.crash;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A message whose whole content follows from its first word, so that any reader can detect a torn one.
 *
 * <pre>
 * | writer 24 bits, sequence 40 bits | words mixed from the first one and their place ... | bytes of the next word |
 * </pre>
 */
public final class Message {

    public static final int LENGTH_MAX = 64 << 10;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int SEQUENCE_BITS = 40;

    private Message() {}

    public static long word(int writer, long sequence) {
        return ((long) writer << SEQUENCE_BITS) | sequence;
    }

    public static int writer(long word) {
        return (int) (word >>> SEQUENCE_BITS);
    }

    public static long sequence(long word) {
        return word & ((1L << SEQUENCE_BITS) - 1);
    }

    /** Returns the length of a message: mostly below 128 B, some up to 64 KiB. */
    public static int length(long word) {
        long random = mix(word);
        int kind = (int) random & 31;
        int bound = kind < 20 ? 120 : kind < 28 ? 4 << 10 : kind < 31 ? 16 << 10 : LENGTH_MAX - 8;
        return Long.BYTES + (int) Long.remainderUnsigned(random >>> 8, bound);
    }

    /** Writes a message, or its first part, of {@code length} bytes. */
    public static void fill(MemorySegment segment, long offset, int length, long word) {
        int whole = length & -Long.BYTES;
        segment.set(WORD, offset, word);
        for (int at = Long.BYTES; at < whole; at += Long.BYTES) {
            segment.set(WORD, offset + at, mix(word + at));
        }
        long last = mix(word + whole);
        for (int at = whole; at < length; at++) {
            segment.set(ValueLayout.JAVA_BYTE, offset + at, (byte) (last >>> ((at - whole) * 8)));
        }
    }

    public static long wordAt(MemorySegment segment, long offset) {
        return segment.get(WORD, offset);
    }

    /** Returns a sum over the content of a whole message; 0 if its length or a byte does not follow from its first word. */
    public static long sumOrZero(MemorySegment segment, long offset, int length) {
        long word = length < Long.BYTES ? 0 : wordAt(segment, offset);
        if (length < Long.BYTES || length != length(word)) {
            return 0;
        }
        int whole = length & -Long.BYTES;
        long sum = mix(word);
        for (int at = Long.BYTES; at < whole; at += Long.BYTES) {
            long expected = mix(word + at);
            if (segment.get(WORD, offset + at) != expected) {
                return 0;
            }
            sum = sum * 31 + expected;
        }
        return isTail(segment, offset, whole, length, word) ? sum | 1 : 0;
    }

    private static boolean isTail(MemorySegment segment, long offset, int whole, int length, long word) {
        long last = mix(word + whole);
        for (int at = whole; at < length; at++) {
            if (segment.get(ValueLayout.JAVA_BYTE, offset + at) != (byte) (last >>> ((at - whole) * 8))) {
                return false;
            }
        }
        return true;
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 31);
    }
}
