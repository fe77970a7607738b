package dev.larder.tests.power;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * A message that names its writer and its number among that writer's messages; every later byte follows from the two.
 *
 * <pre>
 * | writer 4 | sequence 4 | bytes of the pool, from a place that follows from writer and sequence ... |
 * </pre>
 *
 * The bytes are made once: making and comparing each one by itself took most of the time of these tests.
 */
record Message(int writer, int sequence) {

    static final int LEAST_BYTES = 8;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** How many places a message's bytes may begin at: a power of two. */
    private static final int PLACES = 1 << 20;

    private static final int MORE_BYTES_MAX = 1 << 18;
    private static final MemorySegment POOL = pool();

    /** Returns bytes without a pattern; none is 0, unlike bytes that were never written. */
    private static MemorySegment pool() {
        byte[] bytes = new byte[PLACES + MORE_BYTES_MAX];
        new SplittableRandom(1).nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                bytes[i] = 1;
            }
        }
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    /** Writes the message with a length. */
    void write(MemorySegment target, long offset, int length) {
        target.set(INT, offset, writer);
        target.set(INT, offset + 4, sequence);
        MemorySegment.copy(POOL, place(), target, offset + LEAST_BYTES, length - LEAST_BYTES);
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        write(MemorySegment.ofArray(bytes), 0, length);
        return bytes;
    }

    /** Reads the writer and the number of a message, without a check. */
    static Message read(MemorySegment source, long offset, int length) {
        return length < LEAST_BYTES
                ? new Message(-1, -1)
                : new Message(source.get(INT, offset), source.get(INT, offset + 4));
    }

    /** Returns whether every byte is as this message has it; the length may be one that no message has. */
    boolean isWhole(MemorySegment source, long offset, int length) {
        long more = (long) length - LEAST_BYTES;
        return more <= 0
                || (more <= MORE_BYTES_MAX
                        && offset + length <= source.byteSize()
                        && MemorySegment.mismatch(
                                        source, offset + LEAST_BYTES, offset + length, POOL, place(), place() + more)
                                < 0);
    }

    private long place() {
        long mixed = ((long) writer << 32 ^ sequence) * 0x9E37_79B9_7F4A_7C15L;
        return mixed >>> (Long.SIZE - Integer.numberOfTrailingZeros(PLACES));
    }
}
