package dev.larder.codec.schema;

import dev.larder.memory.Utf8;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The target to which a message is written, value after value: the bytes that were claimed for it, or memory that grows.
 *
 * <pre>
 *  |written ....|at      |end
 * </pre>
 */
public final class Output {

    private static final int FIRST_BYTES = 256;

    private final boolean grows;
    private MemorySegment segment;
    private long at;
    private long end;

    private Output(MemorySegment segment, boolean grows) {
        this.segment = segment;
        this.grows = grows;
        this.end = segment.byteSize();
    }

    /** Returns an output that is later placed {@link #over} claimed bytes. */
    public static Output claimed() {
        return new Output(MemorySegment.NULL, false);
    }

    /** Returns an output whose memory grows as needed. */
    public static Output growing() {
        return new Output(Arena.ofAuto().allocate(FIRST_BYTES), true);
    }

    public Output over(MemorySegment claimed, long offset, int length) {
        segment = claimed;
        at = offset;
        end = offset + length;
        return this;
    }

    /** Restarts at the beginning of the memory. */
    public Output restart() {
        at = 0;
        return this;
    }

    public MemorySegment segment() {
        return segment;
    }

    public long at() {
        return at;
    }

    /** Throws if less was written than was claimed. */
    public void requireFull() {
        if (at != end) {
            throw changed();
        }
    }

    private long advance(long bytes) {
        long from = at;
        if (bytes > end - from) {
            makeRoom(bytes);
        }
        at = from + bytes;
        return from;
    }

    private void makeRoom(long bytes) {
        if (!grows) {
            throw changed();
        }
        MemorySegment larger = Arena.ofAuto().allocate(Math.max(2 * end, at + bytes));
        MemorySegment.copy(segment, 0, larger, 0, at);
        segment = larger;
        end = larger.byteSize();
    }

    private static IllegalStateException changed() {
        return new IllegalStateException("another thread changed the value during its append");
    }

    public void putBoolean(boolean value) {
        putByte((byte) (value ? 1 : 0));
    }

    public void putByte(byte value) {
        long from = advance(Byte.BYTES);
        segment.set(ValueLayout.JAVA_BYTE, from, value);
    }

    public void putShort(short value) {
        long from = advance(Short.BYTES);
        segment.set(LittleEndian.SHORT, from, value);
    }

    public void putChar(char value) {
        long from = advance(Character.BYTES);
        segment.set(LittleEndian.CHAR, from, value);
    }

    public void putInt(int value) {
        long from = advance(Integer.BYTES);
        segment.set(LittleEndian.INT, from, value);
    }

    public void putLong(long value) {
        long from = advance(Long.BYTES);
        segment.set(LittleEndian.LONG, from, value);
    }

    public void putFloat(float value) {
        long from = advance(Float.BYTES);
        segment.set(LittleEndian.FLOAT, from, value);
    }

    public void putDouble(double value) {
        long from = advance(Double.BYTES);
        segment.set(LittleEndian.DOUBLE, from, value);
    }

    public void putBytes(byte[] bytes) {
        putInt(bytes.length);
        long from = advance(bytes.length);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, from, bytes.length);
    }

    /** Writes the count of an array of numbers, then all of them. */
    public void putNumbers(Object array, int count, ValueLayout layout) {
        putInt(count);
        long from = advance(count * layout.byteSize());
        MemorySegment.copy(array, 0, segment, layout, from, count);
    }

    public void putText(CharSequence text) {
        int length = Utf8.lengthBytes(text);
        putInt(length);
        long from = advance(length);
        Utf8.encodeExactly(text, segment, from, length);
    }
}
