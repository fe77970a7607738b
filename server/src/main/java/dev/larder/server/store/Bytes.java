package dev.larder.server.store;

import dev.larder.resp.ByteText;
import dev.larder.resp.Request;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of an array: a key or a value in place, for example in the buffer of a session. Two ranges are equal if their bytes
 * are equal. Code that keeps a range after the call that passed it takes a {@link #copy}.
 */
public final class Bytes implements Comparable<Bytes> {

    private final byte[] array;
    private final int offset;
    private final int length;

    private Bytes(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** Returns a whole array. */
    public static Bytes of(byte[] array) {
        return new Bytes(array, 0, array.length);
    }

    /** Returns a range of an array. */
    public static Bytes of(byte[] array, int offset, int length) {
        return new Bytes(array, offset, length);
    }

    /** Returns a text as UTF-8. */
    public static Bytes of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns an argument of a request, whose buffer is an array. */
    public static Bytes of(Request request, int argument) {
        return new Bytes(
                request.buffer().array(),
                request.buffer().arrayOffset() + request.offset(argument),
                request.length(argument));
    }

    /** Returns the array, of which the range is a part. */
    public byte[] array() {
        return array;
    }

    /** Returns where the range begins. */
    public int offset() {
        return offset;
    }

    /** Returns how many bytes there are. */
    public int length() {
        return length;
    }

    /** Returns a byte of the range. */
    public byte at(int index) {
        return array[offset + index];
    }

    /** Returns the bytes in an array of their own. */
    public byte[] toArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /** Returns the same bytes in an array of their own. */
    public Bytes copy() {
        return of(toArray());
    }

    /**
     * Compares as unsigned bytes, from the first byte on. This order also keeps hash tables fast when a client makes keys
     * collide.
     */
    @Override
    public int compareTo(Bytes that) {
        return Arrays.compareUnsigned(
                array, offset, offset + length, that.array, that.offset, that.offset + that.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Bytes that
                && Arrays.equals(array, offset, offset + length, that.array, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    /** Returns the bytes as UTF-8; other bytes are kept by {@link ByteText}. For messages. */
    @Override
    public String toString() {
        return ByteText.of(array, offset, length);
    }
}
