package dev.larder.lab.map;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Keys, and values that show whether they are whole, and which key they belong to; little-endian.
 *
 * <pre>
 *  0     8         16                    n - 8
 * | key | version | pattern by position | key xor version |
 * </pre>
 *
 * Keys are numbers from 0 on, with each bit spread over all bits: a map cannot exploit any order.
 */
public final class MapValue {

    /** The smallest size of a value. */
    public static final int BYTES_MIN = 24;

    private static final int VERSION = 8;
    private static final int PATTERN = 16;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong UNALIGNED =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private MapValue() {}

    /** Returns the key of a number; keys of numbers differ. */
    public static long key(long number) {
        long key = (number ^ (number >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        key = (key ^ (key >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return key ^ (key >>> 31);
    }

    /** Returns the number of a key. */
    static long number(long key) {
        long number = (key ^ (key >>> 31) ^ (key >>> 62)) * 0x3196_42B2_D24D_8EC3L;
        number = (number ^ (number >>> 27) ^ (number >>> 54)) * 0x96DE_1B17_3F11_9089L;
        return number ^ (number >>> 30) ^ (number >>> 60);
    }

    /** Returns an array of a value's size with the pattern; {@link #set} sets the rest. */
    public static byte[] pattern(int bytes) {
        byte[] value = new byte[bytes];
        for (int at = PATTERN; at < bytes - Long.BYTES; at++) {
            value[at] = (byte) (at * 31 + 7);
        }
        return value;
    }

    /** Makes an array with the pattern a version of a key's value. */
    public static void set(byte[] value, long key, long version) {
        WORD.set(value, 0, key);
        WORD.set(value, VERSION, version);
        WORD.set(value, value.length - Long.BYTES, key ^ version);
    }

    /** Returns whether both ends of a value belong to a key, and to one version. */
    public static boolean isOf(byte[] value, long key) {
        long version = (long) WORD.get(value, VERSION);
        return (long) WORD.get(value, 0) == key && (long) WORD.get(value, value.length - Long.BYTES) == (key ^ version);
    }

    static long version(byte[] value) {
        return (long) WORD.get(value, VERSION);
    }

    /** Returns whether every byte of a value is right. */
    static boolean isWhole(byte[] value, long key) {
        for (int at = PATTERN; at < value.length - Long.BYTES; at++) {
            if (value[at] != (byte) (at * 31 + 7)) {
                return false;
            }
        }
        return isOf(value, key);
    }

    /** Adds up all whole words of a value in place. */
    public static long sum(MemorySegment segment, long offset, int length) {
        long sum = 0;
        for (int at = 0; at <= length - Long.BYTES; at += Long.BYTES) {
            sum += segment.get(UNALIGNED, offset + at);
        }
        return sum;
    }

    /** Adds up all whole words of a value in an array. */
    public static long sum(byte[] value) {
        long sum = 0;
        for (int at = 0; at <= value.length - Long.BYTES; at += Long.BYTES) {
            sum += (long) WORD.get(value, at);
        }
        return sum;
    }
}
