package dev.larder.lab.heap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A value of {@value #BYTES} bytes that tells by itself whether it is whole, and whose it is; little-endian.
 *
 * <pre>
 *    0 | key      i64 |
 *    8 | version  i64 |
 *   16 | noise    209 x i64, a sequence that begins at key and version
 * 1688 | sum      i64 | of all words before it
 * 1696 | tail     i32 | low half of the sum
 * </pre>
 *
 * Of a value that was put together from two, of another key's, or of one with a changed byte, the sum is another.
 */
public final class Value {

    /** The bytes of a value. */
    public static final int BYTES = 1700;

    private static final int VERSION = 8;
    private static final int NOISE = 16;
    private static final int SUM = 1688;
    private static final int TAIL = 1696;
    private static final long MULTIPLIER = 6_364_136_223_846_793_005L;
    private static final long INCREMENT = 1_442_695_040_888_963_407L;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle HALF = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private Value() {}

    /** Writes a value at the beginning of an array. */
    public static void write(byte[] bytes, long key, long version) {
        WORD.set(bytes, 0, key);
        WORD.set(bytes, VERSION, version);
        long noise = key * MULTIPLIER + version;
        for (int at = NOISE; at < SUM; at += Long.BYTES) {
            noise = noise * MULTIPLIER + INCREMENT;
            WORD.set(bytes, at, noise);
        }
        long sum = sum(bytes);
        WORD.set(bytes, SUM, sum);
        HALF.set(bytes, TAIL, (int) sum);
    }

    /** Adds up every byte of the value at the beginning of an array; returns whether it is whole and that of a key. */
    public static boolean isWhole(byte[] bytes, long key) {
        long sum = sum(bytes);
        return (long) WORD.get(bytes, 0) == key
                && (long) WORD.get(bytes, SUM) == sum
                && (int) HALF.get(bytes, TAIL) == (int) sum;
    }

    private static long sum(byte[] bytes) {
        long sum = 0;
        for (int at = 0; at < SUM; at += Long.BYTES) {
            sum += (long) WORD.get(bytes, at);
        }
        return sum;
    }
}
