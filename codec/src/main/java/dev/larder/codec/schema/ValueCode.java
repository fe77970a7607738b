package dev.larder.codec.schema;

import dev.larder.codec.SchemaType;
import org.jspecify.annotations.Nullable;

/** A reader and writer of the values of one type, in the layout that {@link SchemaType} defines. It has no state. */
public interface ValueCode {

    /** Returns how many bytes a value takes. */
    int lengthBytes(@Nullable Object value);

    /** Writes a value. */
    void write(@Nullable Object value, Output output);

    /** Reads a value. */
    @Nullable
    Object read(Input input);
}
