package dev.larder.lab.latency;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * A message with its intended time and its number.
 *
 * <pre>
 * 0            8          16
 * | intended 8 | number 8 | bytes drawn from the seed ... |
 * </pre>
 *
 * <p>The last message does not count; its number is {@code -count - 1}, with the count of all before it.
 */
final class StampedMessage {

    static final int LEAST_BYTES = 16;

    private static final long INTENDED = 0;
    private static final long NUMBER = 8;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MemorySegment bytes;

    StampedMessage(int length, long seed) {
        bytes = Arena.global().allocate(length, Long.BYTES);
        SplittableRandom random = new SplittableRandom(seed);
        for (long at = LEAST_BYTES; at < length; at += Long.BYTES) {
            bytes.set(LONG, at, random.nextLong());
        }
    }

    /** Returns the bytes of a message, valid until the next call. */
    MemorySegment stamped(long intendedNanos, long number) {
        bytes.set(LONG, INTENDED, intendedNanos);
        bytes.set(LONG, NUMBER, number);
        return bytes;
    }

    MemorySegment last(long intendedNanos, long count) {
        return stamped(intendedNanos, -count - 1);
    }

    static long intendedNanos(MemorySegment segment, long offset) {
        return segment.get(LONG, offset + INTENDED);
    }

    static long number(MemorySegment segment, long offset) {
        return segment.get(LONG, offset + NUMBER);
    }

    static boolean isLast(long number) {
        return number < 0;
    }

    static long count(long lastNumber) {
        return -lastNumber - 1;
    }
}
