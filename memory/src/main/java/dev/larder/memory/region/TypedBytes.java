package dev.larder.memory.region;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Numbers and runs of bytes by their offset: little-endian, at any offset.
 *
 * <pre>
 *  0       4                12
 *  | int 4 | long 8         | float 4 |...
 * </pre>
 */
abstract sealed class TypedBytes permits Region {

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The bytes that are read and written; replaced by a closed segment when the region is closed. */
    MemorySegment bytes;

    TypedBytes(MemorySegment bytes) {
        this.bytes = bytes;
    }

    /** Throws after closing. */
    abstract void requireOpen();

    /** Returns the exception for a refused access. */
    abstract RuntimeException refused(RuntimeException cause, long offset, long length);

    /** Returns the byte at an offset. */
    public byte getByte(long offset) {
        try {
            return bytes.get(ValueLayout.JAVA_BYTE, offset);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Byte.BYTES);
        }
    }

    /** Sets the byte at an offset. */
    public void putByte(long offset, byte value) {
        try {
            bytes.set(ValueLayout.JAVA_BYTE, offset, value);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Byte.BYTES);
        }
    }

    /** Returns whether the byte at an offset is not 0. */
    public boolean getBoolean(long offset) {
        try {
            return bytes.get(ValueLayout.JAVA_BOOLEAN, offset);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Byte.BYTES);
        }
    }

    /** Sets the byte at an offset to 0 or 1. */
    public void putBoolean(long offset, boolean value) {
        try {
            bytes.set(ValueLayout.JAVA_BOOLEAN, offset, value);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Byte.BYTES);
        }
    }

    /** Returns the short at an offset. */
    public short getShort(long offset) {
        try {
            return bytes.get(SHORT, offset);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Short.BYTES);
        }
    }

    /** Sets the short at an offset. */
    public void putShort(long offset, short value) {
        try {
            bytes.set(SHORT, offset, value);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Short.BYTES);
        }
    }

    /** Returns the char at an offset. */
    public char getChar(long offset) {
        try {
            return bytes.get(CHAR, offset);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Character.BYTES);
        }
    }

    /** Sets the char at an offset. */
    public void putChar(long offset, char value) {
        try {
            bytes.set(CHAR, offset, value);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Character.BYTES);
        }
    }

    /** Returns the int at an offset. */
    public int getInt(long offset) {
        try {
            return bytes.get(INT, offset);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Integer.BYTES);
        }
    }

    /** Sets the int at an offset. */
    public void putInt(long offset, int value) {
        try {
            bytes.set(INT, offset, value);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Integer.BYTES);
        }
    }

    /** Returns the long at an offset. */
    public long getLong(long offset) {
        try {
            return bytes.get(LONG, offset);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Long.BYTES);
        }
    }

    /** Sets the long at an offset. */
    public void putLong(long offset, long value) {
        try {
            bytes.set(LONG, offset, value);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Long.BYTES);
        }
    }

    /** Returns the float at an offset. */
    public float getFloat(long offset) {
        try {
            return bytes.get(FLOAT, offset);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Float.BYTES);
        }
    }

    /** Sets the float at an offset. */
    public void putFloat(long offset, float value) {
        try {
            bytes.set(FLOAT, offset, value);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Float.BYTES);
        }
    }

    /** Returns the double at an offset. */
    public double getDouble(long offset) {
        try {
            return bytes.get(DOUBLE, offset);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Double.BYTES);
        }
    }

    /** Sets the double at an offset. */
    public void putDouble(long offset, double value) {
        try {
            bytes.set(DOUBLE, offset, value);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            throw refused(e, offset, Double.BYTES);
        }
    }

    /** Copies bytes out, as many as the array holds. */
    public void get(long offset, byte[] target) {
        get(offset, MemorySegment.ofArray(target));
    }

    /** Copies bytes out, as many as the segment holds. */
    public void get(long offset, MemorySegment target) {
        move(part(offset, target.byteSize()), target, offset);
    }

    /** Copies bytes out, as many as the buffer has room for, and moves its position to its limit. */
    public void get(long offset, ByteBuffer target) {
        get(offset, MemorySegment.ofBuffer(target));
        target.position(target.limit());
    }

    /** Copies all bytes of an array in. */
    public void put(long offset, byte[] source) {
        put(offset, MemorySegment.ofArray(source));
    }

    /** Copies all bytes of a segment in. */
    public void put(long offset, MemorySegment source) {
        move(source, part(offset, source.byteSize()), offset);
    }

    /** Copies the remaining bytes of a buffer in, and moves its position to its limit. */
    public void put(long offset, ByteBuffer source) {
        put(offset, MemorySegment.ofBuffer(source));
        source.position(source.limit());
    }

    /** Copies bytes to another region, or to another place of this one; the two places may overlap. */
    public void copyTo(long offset, Region target, long targetOffset, long length) {
        MemorySegment part = part(offset, length);
        try {
            target.put(targetOffset, part);
        } catch (IllegalStateException e) {
            throw refused(e, offset, length);
        }
    }

    /** Sets {@code length} bytes to one value. */
    public void fill(long offset, long length, byte value) {
        MemorySegment part = part(offset, length);
        try {
            part.fill(value);
        } catch (IllegalStateException e) {
            throw refused(e, offset, length);
        }
    }

    private void move(MemorySegment source, MemorySegment target, long offset) {
        try {
            target.copyFrom(source);
        } catch (IllegalStateException e) {
            throw refused(e, offset, target.byteSize());
        }
    }

    final MemorySegment part(long offset, long length) {
        requireOpen();
        try {
            return bytes.asSlice(offset, length);
        } catch (IndexOutOfBoundsException e) {
            throw refused(e, offset, length);
        }
    }
}
