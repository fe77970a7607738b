package dev.larder.codec;

import java.lang.foreign.MemorySegment;

/**
 * A codec of values in records. It writes a value in place in the mapped file, and reads it there, without an intermediate
 * copy.
 *
 * <pre>
 *  claimed   |....value....|      lengthBytes(value), then write(value, segment, offset, length)
 *  mapped    |    value    |      read(segment, offset, length)
 * </pre>
 *
 * <p>The codecs of this interface have no state, and any thread may use them. For values of your own, implement the
 * name and the three methods that write and read.
 *
 * <p>Codecs that write and read the same bytes should be equal. A second opening of a map in one JVM shares the first one only
 * if its codecs are equal.
 *
 * <p>A codec of keys must write equal keys as equal bytes: a map compares the bytes. Sets, maps and decimals of other scale
 * may not. The same is true of values that a map's method compares.
 *
 * @param <T> the type of the values
 */
public interface ValueCodec<T> {

    /**
     * Returns the kind of the bytes, as one word: {@code "long"}, {@code "record:Trade"}, {@code "example.com/point"}. A map
     * stores this name and refuses codecs of other names. So the name must never change, and a codec that cannot read these
     * bytes needs another name.
     *
     * @return 1 to 255 bytes of UTF-8 without control characters
     */
    String name();

    /** Returns how many bytes a value takes: 0 to the largest record. Called before each {@link #write}. */
    int lengthBytes(T value);

    /**
     * Writes exactly {@code length} bytes from {@code offset} on, and no byte elsewhere: the segment is the mapped
     * file.
     */
    void write(T value, MemorySegment segment, long offset, int length);

    /**
     * Reads the value of {@code length} bytes from {@code offset} on. The segment is read-only, and its bytes are valid
     * during the call only.
     *
     * @throws ValueMismatchException if the bytes are not a value of this type
     */
    T read(MemorySegment segment, long offset, int length);

    /**
     * Returns this codec bound to one directory, for one thread at a time. A codec that stores its schemas stores them
     * there. Most codecs return themselves.
     *
     * <p>A map calls this method for each thread that uses it, to write and to read. A queue calls it only for the codecs that
     * store schemas ({@link Codec#records}, {@link Codec#views}, {@link Codec#values}), and uses any other codec as it is.
     *
     * @param folder the folder in which the codec stores its schemas
     * @param writing whether values are written; otherwise they are read
     */
    default ValueCodec<T> in(CodecFolder folder, boolean writing) {
        return this;
    }

    /**
     * Returns a codec of plain bytes that has the name of another codec. Tools that copy or print values use it in place of a
     * codec that they do not have. The caller ensures that it writes only bytes of that codec.
     */
    static ValueCodec<byte[]> bytesOf(String name) {
        return name.equals(bytes().name()) ? bytes() : PlainCodecs.bytesOf(name);
    }

    /** Returns the codec of texts as UTF-8. Its name is {@code text}. */
    static ValueCodec<String> texts() {
        return PlainCodecs.TEXTS;
    }

    /** Returns the codec of arrays of bytes. Its name is {@code bytes}. */
    static ValueCodec<byte[]> bytes() {
        return PlainCodecs.BYTES;
    }

    /** Returns the codec of one {@code long}: 8 bytes, little-endian. Its name is {@code long}. */
    static ValueCodec<Long> longs() {
        return PlainCodecs.LONGS;
    }

    /** Returns the codec of one {@code int}: 4 bytes, little-endian. Its name is {@code int}. */
    static ValueCodec<Integer> ints() {
        return PlainCodecs.INTS;
    }

    /** Returns the codec of one {@code double}: 8 bytes, little-endian. Its name is {@code double}. */
    static ValueCodec<Double> doubles() {
        return PlainCodecs.DOUBLES;
    }
}
