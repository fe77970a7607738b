package dev.larder.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Loads and stores of little-endian words in shared memory; the memory ordering is in each method's name. */
final class Words {

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle LONGS = LONG.varHandle();
    private static final VarHandle INTS = INT.varHandle();

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

    static void setRelease(MemorySegment memory, long offset, long value) {
        LONGS.setRelease(memory, offset, value);
    }

    static long getVolatile(MemorySegment memory, long offset) {
        return (long) LONGS.getVolatile(memory, offset);
    }

    static void setVolatile(MemorySegment memory, long offset, long value) {
        LONGS.setVolatile(memory, offset, value);
    }

    static boolean compareAndSet(MemorySegment memory, long offset, long expected, long value) {
        return LONGS.compareAndSet(memory, offset, expected, value);
    }

    static long getAndAdd(MemorySegment memory, long offset, long value) {
        return (long) LONGS.getAndAdd(memory, offset, value);
    }

    static int getIntVolatile(MemorySegment memory, long offset) {
        return (int) INTS.getVolatile(memory, offset);
    }

    static void setIntVolatile(MemorySegment memory, long offset, int value) {
        INTS.setVolatile(memory, offset, value);
    }

    static boolean compareAndSetInt(MemorySegment memory, long offset, int expected, int value) {
        return INTS.compareAndSet(memory, offset, expected, value);
    }

    static int getAndAddInt(MemorySegment memory, long offset, int value) {
        return (int) INTS.getAndAdd(memory, offset, value);
    }

    /** Raises a word to at least a value: it never goes back, whoever else raises it. */
    static void raise(MemorySegment memory, long offset, long value) {
        long seen = getAcquire(memory, offset);
        while (seen < value && !compareAndSet(memory, offset, seen, value)) {
            seen = getAcquire(memory, offset);
        }
    }
}
