package dev.larder.map;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Loads and stores of little-endian words that threads share; the memory ordering is in each method's name. */
final class Words {

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle LONGS = LONG.varHandle();

    private Words() {}

    static long getPlain(MemorySegment memory, long offset) {
        return memory.get(LONG, offset);
    }

    static void setPlain(MemorySegment memory, long offset, long value) {
        memory.set(LONG, offset, value);
    }

    static long getAcquire(MemorySegment memory, long offset) {
        return (long) LONGS.getAcquire(memory, offset);
    }

    /** Stores a word whole, in no order: who looks at it unasked sees the old one or this. */
    static void setOpaque(MemorySegment memory, long offset, long value) {
        LONGS.setOpaque(memory, offset, value);
    }

    static boolean compareAndSet(MemorySegment memory, long offset, long expected, long value) {
        return LONGS.compareAndSet(memory, offset, expected, value);
    }

    static long getAndAdd(MemorySegment memory, long offset, long value) {
        return (long) LONGS.getAndAdd(memory, offset, value);
    }

    static long getAndOr(MemorySegment memory, long offset, long bits) {
        return (long) LONGS.getAndBitwiseOr(memory, offset, bits);
    }
}
