package dev.larder.codec.schema;

import dev.larder.codec.SchemaMismatchException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A message that is read value after value. It is never read beyond its end, whatever its bytes say.
 *
 * <pre>
 *  |read ....|at      |end
 * </pre>
 */
public final class Input {

    private MemorySegment segment = MemorySegment.NULL;
    private long at;
    private long end;

    public Input over(MemorySegment message, long offset, int length) {
        segment = message;
        at = offset;
        end = offset + length;
        return this;
    }

    public MemorySegment segment() {
        return segment;
    }

    public long left() {
        return end - at;
    }

    /** Skips bytes; returns where they begin. */
    public long advance(long bytes) {
        long from = at;
        if (bytes > end - from) {
            throw new SchemaMismatchException(
                    "it ends after " + (end - from) + " bytes, within a value of " + bytes + " bytes");
        }
        at = from + bytes;
        return from;
    }

    public void requireEnd() {
        if (at != end) {
            throw new SchemaMismatchException("it has " + (end - at) + " bytes more than its schema says");
        }
    }

    public boolean getBoolean() {
        return getByte() != 0;
    }

    public byte getByte() {
        return segment.get(ValueLayout.JAVA_BYTE, advance(Byte.BYTES));
    }

    public short getShort() {
        return segment.get(LittleEndian.SHORT, advance(Short.BYTES));
    }

    public char getChar() {
        return segment.get(LittleEndian.CHAR, advance(Character.BYTES));
    }

    public int getInt() {
        return segment.get(LittleEndian.INT, advance(Integer.BYTES));
    }

    public long getLong() {
        return segment.get(LittleEndian.LONG, advance(Long.BYTES));
    }

    public float getFloat() {
        return segment.get(LittleEndian.FLOAT, advance(Float.BYTES));
    }

    public double getDouble() {
        return segment.get(LittleEndian.DOUBLE, advance(Double.BYTES));
    }

    /**
     * Returns how many values follow, -1 for null. Each takes at least {@code leastBytes}, which bounds the memory for them.
     */
    public int getCount(int leastBytes) {
        int count = getInt();
        if (count < -1 || (long) count * leastBytes > left()) {
            throw new SchemaMismatchException("it has " + left() + " bytes left for " + count + " values");
        }
        return count;
    }

    public byte[] getBytes(int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, advance(length), bytes, 0, length);
        return bytes;
    }

    /** Fills an array with numbers, and returns it. */
    public Object getNumbers(Object array, int count, ValueLayout layout) {
        MemorySegment.copy(segment, layout, advance(count * layout.byteSize()), array, 0, count);
        return array;
    }

    public String getText(int length) {
        return new String(getBytes(length), StandardCharsets.UTF_8);
    }
}
