package dev.larder.resp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Replies in an array that grows: for tests, and for replies that are kept for later. Not thread-safe. */
public final class ReplyBuffer implements ReplyOutput {

    private static final int FIRST_BYTES = 64;
    private static final int ARRAY_MOST_BYTES = Integer.MAX_VALUE - 8;

    private final int mostBytes;
    private byte[] array = new byte[FIRST_BYTES];

    /** How many bytes were written. From the first write that exceeds the limit on, bytes are not kept. */
    private long size;

    /** Creates an empty buffer, which keeps as many bytes as an array may have. */
    public ReplyBuffer() {
        this(Integer.MAX_VALUE);
    }

    /**
     * Creates an empty buffer that keeps a number of bytes at most. If more are written, it only counts them.
     *
     * @param mostBytes how many it keeps
     */
    public ReplyBuffer(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Counts bytes, and makes room for them. Returns where to put them; -1 if they are not kept. */
    private int reserve(int bytes) {
        long needed = size + bytes;
        if (needed > mostBytes && mostBytes < Integer.MAX_VALUE) {
            size = needed;
            return -1;
        }
        int kept = Math.toIntExact(needed);
        if (kept > array.length) {
            int grown = (int) Math.min(2L * array.length, Math.min(mostBytes, ARRAY_MOST_BYTES));
            array = Arrays.copyOf(array, Math.max(kept, grown));
        }
        int at = (int) size;
        size = needed;
        return at;
    }

    @Override
    public void write(byte value) {
        int at = reserve(1);
        if (at >= 0) {
            array[at] = value;
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        int at = reserve(length);
        if (at >= 0) {
            System.arraycopy(bytes, offset, array, at, length);
        }
    }

    @Override
    public void write(ByteBuffer bytes, int offset, int length) {
        int at = reserve(length);
        if (at >= 0) {
            bytes.get(offset, array, at, length);
        }
    }

    @Override
    public int sizeBytes() {
        return (int) Math.min(size, Integer.MAX_VALUE);
    }

    @Override
    public void truncate(int sizeBytes) {
        size = Math.min(size, sizeBytes);
    }

    /** Returns whether more was written than it keeps. */
    public boolean isCut() {
        return size > mostBytes;
    }

    /**
     * Returns a copy of the bytes.
     *
     * @throws IllegalStateException if it has not kept all bytes
     */
    public byte[] toByteArray() {
        return Arrays.copyOf(array, kept());
    }

    /**
     * Passes all bytes on, and keeps none.
     *
     * @throws IllegalStateException if it has not kept all bytes
     */
    public void moveTo(ReplyOutput output) {
        output.write(array, 0, kept());
        size = 0;
    }

    /** Forgets the bytes. */
    public void clear() {
        size = 0;
    }

    private int kept() {
        if (isCut()) {
            throw new IllegalStateException(
                    "the replies have " + size + " bytes, and the buffer keeps " + mostBytes + " at most");
        }
        return (int) size;
    }
}
