package dev.larder.queue;

import dev.larder.codec.Codec;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An appender that encodes values as messages, each in place in the mapped file. Threads may share an appender and take turns.
 * With one appender each, they write side by side. It allocates nothing per message except what the codec allocates.
 *
 * @param <T> the type of the values
 */
public final class TypedAppender<T> implements AutoCloseable {

    private final Appender appender;

    /** Binds the codec once more. A bound codec keeps its place in a message, so it has one user at a time. */
    private final Supplier<Codec<T>> binding;

    /** The codec of the appends, which take turns. */
    private final Codec<T> codec;

    private final AtomicReference<@Nullable ValueWriter<T>> spare = new AtomicReference<>();

    TypedAppender(Appender appender, Supplier<Codec<T>> binding) {
        this.appender = appender;
        this.binding = binding;
        this.codec = binding.get();
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

    /**
     * Returns a batch of values for one thread, for bulk loading. Other threads may use this appender, and batches of their
     * own, at the same time.
     */
    public TypedBatch<T> batch() {
        Codec<T> own = binding.get(); // before the batch, which is memory to be freed
        return new TypedBatch<>(appender.batch(), own);
    }

    /** Closes the appender; waits for a thread that is appending. */
    @Override
    public void close() {
        appender.close();
    }
}
