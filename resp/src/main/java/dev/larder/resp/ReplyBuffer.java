package dev.larder.resp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Replies in an array that grows: for tests, and for replies that are kept for later. Not thread-safe. */
public final class ReplyBuffer implements ReplyOutput {

    private static final int FIRST_BYTES = 64;

    private byte[] array = new byte[FIRST_BYTES];
    private int size;

    /** An empty buffer. */
    public ReplyBuffer() {}

    private void reserve(int bytes) {
        int needed = Math.addExact(size, bytes);
        if (needed > array.length) {
            array = Arrays.copyOf(array, Math.max(needed, (int) Math.min(2L * array.length, Integer.MAX_VALUE - 8)));
        }
    }

    @Override
    public void write(byte value) {
        reserve(1);
        array[size++] = value;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        reserve(length);
        System.arraycopy(bytes, offset, array, size, length);
        size += length;
    }

    @Override
    public void write(ByteBuffer bytes, int offset, int length) {
        reserve(length);
        bytes.get(offset, array, size, length);
        size += length;
    }

    @Override
    public int sizeBytes() {
        return size;
    }

    @Override
    public void truncate(int sizeBytes) {
        size = Math.min(size, sizeBytes);
    }

    /** Returns a copy of the bytes. */
    public byte[] toByteArray() {
        return Arrays.copyOf(array, size);
    }

    /** Passes all bytes on, and keeps none. */
    public void moveTo(ReplyOutput output) {
        output.write(array, 0, size);
        size = 0;
    }

    /** Forgets the bytes. */
    public void clear() {
        size = 0;
    }
}
