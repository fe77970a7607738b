package dev.larder.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Loads and stores of little-endian words that threads or processes share. Each method's name gives the memory
 * ordering, in the terms of {@link VarHandle}. Offsets are in bytes, and multiples of the word's size; so is the
 * segment's address.
 */
public final class Words {

    /** The layout of a word of 8 bytes. */
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The layout of a word of 4 bytes. */
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle LONGS = LONG.varHandle();
    private static final VarHandle INTS = INT.varHandle();

    private Words() {}

    /** Loads a word that no other thread stores meanwhile. */
    public static long getPlain(MemorySegment memory, long offset) {
        return memory.get(LONG, offset);
    }

    /** Stores a word that no other thread reads yet. */
    public static void setPlain(MemorySegment memory, long offset, long value) {
        memory.set(LONG, offset, value);
    }

    /** Loads a word without tearing, in no order. */
    public static long getOpaque(MemorySegment memory, long offset) {
        return (long) LONGS.getOpaque(memory, offset);
    }

    /** Stores a word without tearing, in no order: a concurrent reader sees the old value or the new one. */
    public static void setOpaque(MemorySegment memory, long offset, long value) {
        LONGS.setOpaque(memory, offset, value);
    }

    /** Loads a word; later loads and stores are not moved before it. */
    public static long getAcquire(MemorySegment memory, long offset) {
        return (long) LONGS.getAcquire(memory, offset);
    }

    /** Stores a word; earlier loads and stores are not moved after it. */
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

    /** Stores a word if it holds {@code expected}; returns whether it did. Volatile. */
    public static boolean compareAndSet(MemorySegment memory, long offset, long expected, long value) {
        return LONGS.compareAndSet(memory, offset, expected, value);
    }

    /** Adds to a word; returns the value before. Volatile. */
    public static long getAndAdd(MemorySegment memory, long offset, long value) {
        return (long) LONGS.getAndAdd(memory, offset, value);
    }

    /** Sets bits of a word; returns the value before. Volatile. */
    public static long getAndOr(MemorySegment memory, long offset, long bits) {
        return (long) LONGS.getAndBitwiseOr(memory, offset, bits);
    }

    /** Raises a word to at least a value. The word never decreases, whichever threads raise it. Volatile. */
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
