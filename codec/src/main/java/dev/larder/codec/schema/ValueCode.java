package dev.larder.codec.schema;

import dev.larder.codec.SchemaType;
import org.jspecify.annotations.Nullable;

/** Reads and writes the values of one type, as {@link SchemaType} says how they lie. Has no state of its own. */
public interface ValueCode {

    /** Returns how many bytes a value takes. */
    int lengthBytes(@Nullable Object value);

    /** Writes a value. */
    void write(@Nullable Object value, Output output);

    /** Reads a value. */
    @Nullable
    Object read(Input input);
}
