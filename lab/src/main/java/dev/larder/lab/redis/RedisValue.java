package dev.larder.lab.redis;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The values that a load stores: each says whose it is, so that a wrong or torn one is found when it is read.
 *
 * <pre>
 *  0 | key      i64 | little-endian
 *  8 | version  i64 | 0 when the keys were filled; else the number of the write
 * 16 | pattern  ... | words that follow from key, version and place; the last one is cut where the value ends
 * </pre>
 */
final class RedisValue {

    /** The bytes of the smallest: its key and its version. */
    static final int BYTES_MIN = 16;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long ODD = 0xD6E8FEB86659FD93L;

    private RedisValue() {}

    static byte[] of(long key, long version, int bytes) {
        byte[] value = new byte[bytes];
        LONG.set(value, 0, key);
        LONG.set(value, 8, version);
        int at = BYTES_MIN;
        for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
            LONG.set(value, at, pattern(key, version, at));
        }
        for (; at < bytes; at++) {
            value[at] = lastByte(key, version, at);
        }
        return value;
    }

    private static long pattern(long key, long version, int at) {
        return ((key * GOLDEN) ^ (version * ODD)) + at * GOLDEN;
    }

    private static byte lastByte(long key, long version, int at) {
        int word = at / Long.BYTES * Long.BYTES;
        return (byte) (pattern(key, version, word) >>> ((at - word) * Byte.SIZE));
    }

    /**
     * Returns what is wrong with a value that was read; null if it is one that was written.
     *
     * @param versionMax of any write so far
     */
    static @Nullable String fault(byte[] value, long key, long versionMax, int bytes) {
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
        return isWhole(value, key, version)
                ? null
                : "key " + key + " holds a value of version " + version + " that is torn";
    }

    private static boolean isWhole(byte[] value, long key, long version) {
        int at = BYTES_MIN;
        boolean whole = true;
        for (; at + Long.BYTES <= value.length; at += Long.BYTES) {
            whole &= (long) LONG.get(value, at) == pattern(key, version, at);
        }
        for (; at < value.length; at++) {
            whole &= value[at] == lastByte(key, version, at);
        }
        return whole;
    }
}
