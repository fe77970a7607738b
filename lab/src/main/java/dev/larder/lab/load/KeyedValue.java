package dev.larder.lab.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The values that a load stores: each holds its key, so that a read detects a wrong or torn one.
 *
 * <pre>
 *  0 | key      i64 | little-endian
 *  8 | version  i64 | 0 when the keys were filled; else the number of the write
 * 16 | pattern  ... | words computed from key, version and place; the last one is cut where the value ends
 * </pre>
 */
public final class KeyedValue {

    /** The bytes of the smallest value: key and version. */
    private static final int BYTES_MIN = 16;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long ODD = 0xD6E8FEB86659FD93L;

    private KeyedValue() {}

    /** Returns a value of so many bytes. */
    public static byte[] of(long key, long version, int bytes) {
        byte[] value = new byte[bytes];
        write(value, bytes, key, version);
        return value;
    }

    /** Writes a value of so many bytes at the beginning of an array. */
    public static void write(byte[] value, int bytes, long key, long version) {
        LONG.set(value, 0, key);
        LONG.set(value, 8, version);
        int at = BYTES_MIN;
        for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
            LONG.set(value, at, pattern(key, version, at));
        }
        for (; at < bytes; at++) {
            value[at] = lastByte(key, version, at);
        }
    }

    private static long pattern(long key, long version, int at) {
        return ((key * GOLDEN) ^ (version * ODD)) + at * GOLDEN;
    }

    private static byte lastByte(long key, long version, int at) {
        int word = at / Long.BYTES * Long.BYTES;
        return (byte) (pattern(key, version, word) >>> ((at - word) * Byte.SIZE));
    }

    /**
     * Returns the fault of a value that was read; null if it was written like this.
     *
     * @param versionMax of any write so far
     */
    public static @Nullable String fault(byte[] value, long key, long versionMax, int bytes) {
        if (value.length != bytes) {
            return "key " + key + " holds " + value.length + " bytes instead of " + bytes;
        }
        long version = (long) LONG.get(value, 8);
        if ((long) LONG.get(value, 0) != key) {
            return "key " + key + " holds a value of key " + (long) LONG.get(value, 0);
        }
        if (version < 0 || version > versionMax) {
            return "key " + key + " holds version " + version + ", which was never written";
        }
        return isWhole(value, bytes, key)
                ? null
                : "key " + key + " holds a value of version " + version + " that is torn";
    }

    /** Returns whether the first so many bytes of an array are a whole value of a key. */
    public static boolean isWhole(byte[] value, int bytes, long key) {
        long version = (long) LONG.get(value, 8);
        boolean whole = (long) LONG.get(value, 0) == key;
        int at = BYTES_MIN;
        for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
            whole &= (long) LONG.get(value, at) == pattern(key, version, at);
        }
        for (; at < bytes; at++) {
            whole &= value[at] == lastByte(key, version, at);
        }
        return whole;
    }
}
