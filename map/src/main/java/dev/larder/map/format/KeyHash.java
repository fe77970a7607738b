package dev.larder.map.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The hash of a key's bytes: 64 bits, seeded, so that no outsider can choose keys whose hashes collide. */
public final class KeyHash {

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long A = 0x9E37_79B9_7F4A_7C15L;
    private static final long B = 0xD6E8_FEB8_6659_FD93L;

    private KeyHash() {}

    public static long of(MemorySegment bytes, long offset, int length, long seed) {
        long hash = seed + A * length;
        long at = offset;
        long words = offset + (length & -8);
        while (at < words) {
            hash = mix(hash, bytes.get(LONG, at));
            at += 8;
        }
        return spread(mix(hash, rest(bytes, offset, at, offset + length)));
    }

    /** Returns the hash of a key of 8 bytes. */
    public static long ofWord(long word, long seed) {
        return spread(mix(mix(seed + (A << 3), word), 0));
    }

    /** Returns the bytes behind the last whole word, the first of them highest. */
    private static long rest(MemorySegment bytes, long begin, long from, long to) {
        return to - begin < Long.BYTES ? restOfShort(bytes, from, to) : restOfLong(bytes, from, to);
    }

    /** Loads the last 8 bytes at once, as the key has 8 or more, and drops those before {@code from}. */
    private static long restOfLong(MemorySegment bytes, long from, long to) {
        long last = Long.reverseBytes(bytes.get(LONG, to - Long.BYTES));
        return last & ((1L << ((to - from) * Byte.SIZE)) - 1);
    }

    private static long restOfShort(MemorySegment bytes, long from, long to) {
        long rest = 0;
        for (long at = from; at < to; at++) {
            rest = (rest << 8) | (bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF);
        }
        return rest;
    }

    private static long mix(long hash, long word) {
        long both = hash ^ word;
        return Long.rotateLeft(hash, 29) + (both * B ^ Math.unsignedMultiplyHigh(both ^ A, B));
    }

    private static long spread(long hash) {
        long spread = (hash ^ (hash >>> 32)) * A;
        spread = (spread ^ (spread >>> 29)) * B;
        return spread ^ (spread >>> 32);
    }
}
