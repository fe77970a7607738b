package dev.larder.codec.schema;

import dev.larder.codec.Codec;
import dev.larder.codec.CodecFolder;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.ValueCodec;
import dev.larder.codec.ValueMismatchException;
import java.lang.foreign.MemorySegment;

/** The codec of messages that are one value and nothing else. */
public record PlainCodec<T>(ValueCodec<T> values) implements Codec<T> {

    /** Returns the codec of the values of a plain codec; of another codec, that codec itself. */
    public static <T> ValueCodec<T> valuesOf(ValueCodec<T> codec) {
        return codec instanceof PlainCodec<T> plain ? plain.values : codec;
    }

    @Override
    public ValueCodec<T> in(CodecFolder folder, boolean writing) {
        return new PlainCodec<>(values.in(folder, writing));
    }

    @Override
    public String name() {
        return values.name();
    }

    @Override
    public int lengthBytes(T value) {
        return values.lengthBytes(value);
    }

    @Override
    public void write(T value, MemorySegment segment, long offset, int length) {
        values.write(value, segment, offset, length);
    }

    @Override
    public T read(MemorySegment segment, long offset, int length) {
        try {
            return values.read(segment, offset, length);
        } catch (ValueMismatchException e) {
            throw new SchemaMismatchException("as a message, " + e.getMessage(), e);
        }
    }
}
