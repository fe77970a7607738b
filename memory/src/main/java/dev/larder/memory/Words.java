package dev.larder.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Loads and stores of little-endian words that threads, or processes, share; the memory ordering is in each method's
 * name, in the terms of {@link VarHandle}. Offsets are in bytes, and multiples of the word's size, of an address that
 * is one as well.
 */
public final class Words {

    /** A word of 8 bytes, as {@link MemorySegment} takes it. */
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** A word of 4 bytes. */
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle LONGS = LONG.varHandle();
    private static final VarHandle INTS = INT.varHandle();

    private Words() {}

    /** Loads a word that nobody else stores meanwhile. */
    public static long getPlain(MemorySegment memory, long offset) {
        return memory.get(LONG, offset);
    }

    /** Stores a word that nobody else looks at yet. */
    public static void setPlain(MemorySegment memory, long offset, long value) {
        memory.set(LONG, offset, value);
    }

    /** Loads a word whole, in no order. */
    public static long getOpaque(MemorySegment memory, long offset) {
        return (long) LONGS.getOpaque(memory, offset);
    }

    /** Stores a word whole, in no order: who looks at it unasked sees the old one or this. */
    public static void setOpaque(MemorySegment memory, long offset, long value) {
        LONGS.setOpaque(memory, offset, value);
    }

    /** Loads a word; what comes after it is not moved before it. */
    public static long getAcquire(MemorySegment memory, long offset) {
        return (long) LONGS.getAcquire(memory, offset);
    }

    /** Stores a word; what comes before it is not moved behind it. */
    public static void setRelease(MemorySegment memory, long offset, long value) {
        LONGS.setRelease(memory, offset, value);
    }

    /** Loads a word in one order with all other volatile loads and stores, and compare-and-sets. */
    public static long getVolatile(MemorySegment memory, long offset) {
        return (long) LONGS.getVolatile(memory, offset);
    }

    /** Stores a word in one order with all other volatile loads and stores, and compare-and-sets. */
    public static void setVolatile(MemorySegment memory, long offset, long value) {
        LONGS.setVolatile(memory, offset, value);
    }

    /** Stores a word where another one stands; returns whether it did. Volatile. */
    public static boolean compareAndSet(MemorySegment memory, long offset, long expected, long value) {
        return LONGS.compareAndSet(memory, offset, expected, value);
    }

    /** Adds to a word, and returns what it was. Volatile. */
    public static long getAndAdd(MemorySegment memory, long offset, long value) {
        return (long) LONGS.getAndAdd(memory, offset, value);
    }

    /** Sets bits of a word, and returns what it was. Volatile. */
    public static long getAndOr(MemorySegment memory, long offset, long bits) {
        return (long) LONGS.getAndBitwiseOr(memory, offset, bits);
    }

    /** Raises a word to at least a value: it never goes back, whoever else raises it. Volatile. */
    public static void raise(MemorySegment memory, long offset, long value) {
        long seen = getVolatile(memory, offset);
        while (seen < value && !compareAndSet(memory, offset, seen, value)) {
            seen = getVolatile(memory, offset);
        }
    }

    /** Loads a word of 4 bytes, as {@link #getVolatile}. */
    public static int getIntVolatile(MemorySegment memory, long offset) {
        return (int) INTS.getVolatile(memory, offset);
    }

    /** Stores a word of 4 bytes, as {@link #setVolatile}. */
    public static void setIntVolatile(MemorySegment memory, long offset, int value) {
        INTS.setVolatile(memory, offset, value);
    }

    /** Stores a word of 4 bytes, as {@link #compareAndSet}. */
    public static boolean compareAndSetInt(MemorySegment memory, long offset, int expected, int value) {
        return INTS.compareAndSet(memory, offset, expected, value);
    }

    /** Adds to a word of 4 bytes, as {@link #getAndAdd}. */
    public static int getAndAddInt(MemorySegment memory, long offset, int value) {
        return (int) INTS.getAndAdd(memory, offset, value);
    }
}
