package dev.larder.server.store;

import java.lang.foreign.MemorySegment;

/**
 * A buffer of one thread into which values are read, from index 0 of {@link #array} on. It grows with the values;
 * {@link #shrink} releases a large array.
 */
public final class ValueBuffer {

    private static final int FIRST_BYTES = 16 << 10;
    private static final int KEPT_BYTES = 1 << 20;

    private static final byte[] NONE = {};

    /** Created at the first use: a client that waits for a key has buffers, but may read nothing. */
    private byte[] array = NONE;

    private MemorySegment segment = MemorySegment.ofArray(array);
    private int length;

    /** An empty buffer. */
    public ValueBuffer() {}

    /** Returns the array that holds the value. It is never empty. */
    public byte[] array() {
        make();
        return array;
    }

    /** Returns how many bytes the value has. */
    public int length() {
        return length;
    }

    /** Returns the value where it lies. */
    public Bytes bytes() {
        return Bytes.of(array, 0, length);
    }

    /** Changes the length of the value. The bytes that are added are 0. */
    public void resize(int bytes) {
        if (bytes > array.length) {
            int least = Math.max(FIRST_BYTES, Math.min(2 * array.length, KEPT_BYTES));
            byte[] larger = new byte[Math.max(bytes, least)];
            System.arraycopy(array, 0, larger, 0, length);
            replace(larger);
        }
        for (int i = length; i < bytes; i++) {
            array[i] = 0;
        }
        length = bytes;
    }

    /** Releases the array if it is large. The value is lost. */
    public void shrink() {
        length = 0;
        if (array.length > KEPT_BYTES) {
            replace(new byte[FIRST_BYTES]);
        }
    }

    private void replace(byte[] other) {
        array = other;
        segment = MemorySegment.ofArray(other);
    }

    private void make() {
        if (array.length == 0) {
            replace(new byte[FIRST_BYTES]);
        }
    }

    MemorySegment segment() {
        make();
        return segment;
    }

    /** Makes room for a value that does not fit, whose bytes come next. */
    void reserve(int bytes) {
        length = 0;
        replace(new byte[Math.max(bytes, FIRST_BYTES)]);
    }

    void setLength(int bytes) {
        length = bytes;
    }
}
