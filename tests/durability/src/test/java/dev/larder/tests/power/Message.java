package dev.larder.tests.power;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A message that says who wrote it and which of his it is; every byte behind that follows from the two.
 *
 * <pre>
 * | writer 4 | sequence 4 | bytes that follow from writer, sequence and their offset ... |
 * </pre>
 */
record Message(int writer, int sequence) {

    static final int LEAST_BYTES = 8;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Writes the message with a length. */
    void write(MemorySegment target, long offset, int length) {
        target.set(INT, offset, writer);
        target.set(INT, offset + 4, sequence);
        int at = LEAST_BYTES;
        for (; at + 8 <= length; at += 8) {
            target.set(LONG, offset + at, filling(at));
        }
        for (; at < length; at++) {
            target.set(ValueLayout.JAVA_BYTE, offset + at, (byte) filling(at));
        }
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        write(MemorySegment.ofArray(bytes), 0, length);
        return bytes;
    }

    /** Reads who wrote a message, believing it. */
    static Message read(MemorySegment source, long offset, int length) {
        return length < LEAST_BYTES
                ? new Message(-1, -1)
                : new Message(source.get(INT, offset), source.get(INT, offset + 4));
    }

    /** Returns whether every byte is what this message has. */
    boolean isWhole(MemorySegment source, long offset, int length) {
        int at = LEAST_BYTES;
        for (; at + 8 <= length; at += 8) {
            if (source.get(LONG, offset + at) != filling(at)) {
                return false;
            }
        }
        for (; at < length; at++) {
            if (source.get(ValueLayout.JAVA_BYTE, offset + at) != (byte) filling(at)) {
                return false;
            }
        }
        return true;
    }

    private long filling(int at) {
        long mixed = ((long) writer << 48 ^ (long) sequence << 20 ^ at) * 0x9E37_79B9_7F4A_7C15L;
        return (mixed ^ mixed >>> 29) | 1;
    }
}
