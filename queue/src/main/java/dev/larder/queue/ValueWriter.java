package dev.larder.queue;

import dev.larder.codec.Codec;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes a value by its codec. It is reused, so that a value costs no object. */
final class ValueWriter<T> implements MessageWriter {

    private final Codec<T> codec;
    private @Nullable T value;

    ValueWriter(Codec<T> codec) {
        this.codec = codec;
    }

    ValueWriter<T> of(@Nullable T next) {
        value = next;
        return this;
    }

    @Override
    public void write(MemorySegment segment, long offset, int length) {
        codec.write(Objects.requireNonNull(value), segment, offset, length);
    }
}
