package dev.larder.codec;

import java.lang.foreign.MemorySegment;

/**
 * How values of a type lie in records. A codec writes a value where the record is claimed and reads it where it lies:
 * nothing stands between.
 *
 * <pre>
 *  claimed   |....value....|      lengthBytes(value), then write(value, segment, offset, length)
 *  mapped    |    value    |      read(segment, offset, length)
 * </pre>
 *
 * <p>The codecs here have no state and may be used by any thread. For values of your own kind implement the three methods.
 *
 * @param <T> the values
 */
public interface ValueCodec<T> {

    /** Returns how many bytes a value takes: 0 to the largest record. Called before each {@link #write}. */
    int lengthBytes(T value);

    /** Writes exactly {@code length} bytes from {@code offset} on; the segment is the mapped file, so nothing else. */
    void write(T value, MemorySegment segment, long offset, int length);

    /**
     * Reads the value of {@code length} bytes from {@code offset} on. The segment is read-only, and its bytes are valid
     * during the call only.
     *
     * @throws ValueMismatchException where the bytes are not a value of this type
     */
    T read(MemorySegment segment, long offset, int length);

    /**
     * Returns the codec as it works with one directory, for one thread at a time: one that writes down how its values are
     * to be read does so there. Most are the same everywhere.
     *
     * @param folder where it writes that down
     * @param writing whether values are written; else they are read
     */
    default ValueCodec<T> in(CodecFolder folder, boolean writing) {
        return this;
    }

    /** Texts as UTF-8. */
    static ValueCodec<String> texts() {
        return PlainCodecs.TEXTS;
    }

    /** Arrays of bytes, as they are. */
    static ValueCodec<byte[]> bytes() {
        return PlainCodecs.BYTES;
    }

    /** One {@code long}: 8 bytes, little-endian. */
    static ValueCodec<Long> longs() {
        return PlainCodecs.LONGS;
    }

    /** One {@code int}: 4 bytes, little-endian. */
    static ValueCodec<Integer> ints() {
        return PlainCodecs.INTS;
    }

    /** One {@code double}: 8 bytes, little-endian. */
    static ValueCodec<Double> doubles() {
        return PlainCodecs.DOUBLES;
    }
}
