package dev.larder.queue;

import dev.larder.codec.Codec;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Appends values as messages, each written where it is claimed. Threads may share one, taking turns; with one each they
 * write side by side. Allocates nothing per message but what the codec does.
 *
 * @param <T> the values
 */
public final class TypedAppender<T> implements AutoCloseable {

    private final Appender appender;
    private final Codec<T> codec;
    private final AtomicReference<@Nullable ValueWriter<T>> spare = new AtomicReference<>();

    TypedAppender(Appender appender, Codec<T> codec) {
        this.appender = appender;
        this.codec = codec;
    }

    /** An object that is used again and again, so that a value costs no other. */
    private static final class ValueWriter<T> implements MessageWriter {

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
            codec.write(java.util.Objects.requireNonNull(value), segment, offset, length);
        }
    }

    /**
     * Appends a value; returns the position of its message. When the codec throws, nothing is appended. The errors are
     * those of {@link Appender}.
     */
    public long append(T value) {
        int length = codec.lengthBytes(value);
        ValueWriter<T> known = spare.getAndSet(null);
        ValueWriter<T> writer = known == null ? new ValueWriter<>(codec) : known;
        try {
            return appender.append(length, writer.of(value));
        } finally {
            spare.setRelease(writer.of(null));
        }
    }

    /** Closes the appender; waits for a thread that is appending. */
    @Override
    public void close() {
        appender.close();
    }
}
