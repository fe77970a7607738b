package dev.larder.queue;

import dev.larder.codec.Codec;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An appender that encodes values as messages, each in place in the mapped file. Threads may share an appender and take turns.
 * With one appender each, they write side by side. It allocates nothing per message except what the codec allocates.
 *
 * @param <T> the type of the values
 */
public final class TypedAppender<T> implements AutoCloseable {

    private final Appender appender;
    private final Codec<T> codec;
    private final AtomicReference<@Nullable ValueWriter<T>> spare = new AtomicReference<>();

    TypedAppender(Appender appender, Codec<T> codec) {
        this.appender = appender;
        this.codec = codec;
    }

    /**
     * Appends a value; returns the position of its message. If the codec throws, nothing is appended. The errors are
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

    /** Returns a batch of values for one thread, for bulk loading. */
    public TypedBatch<T> batch() {
        return new TypedBatch<>(appender.batch(), codec);
    }

    /** Closes the appender; waits for a thread that is appending. */
    @Override
    public void close() {
        appender.close();
    }
}
