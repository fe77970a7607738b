package dev.larder.queue;

import dev.larder.codec.Codec;

/**
 * A batch of values, like {@link Batch} for bytes: each value is written into the staging area, and all of them are published
 * together. One thread at a time.
 *
 * @param <T> the values
 */
public final class TypedBatch<T> implements AutoCloseable {

    private final Batch messages;
    private final Codec<T> codec;
    private final ValueWriter<T> writer;

    TypedBatch(Batch messages, Codec<T> codec) {
        this.messages = messages;
        this.codec = codec;
        this.writer = new ValueWriter<>(codec);
    }

    /** Adds a value as a message. If the codec throws, nothing is added. */
    public void add(T value) {
        int length = codec.lengthBytes(value);
        try {
            messages.add(length, writer.of(value));
        } finally {
            writer.of(null);
        }
    }

    /** Appends the added values: after a crash, all of them or none. Returns the same as {@link Batch#flush}. */
    public long flush() {
        return messages.flush();
    }

    /** Flushes, and frees the staging area. The appender stays open. */
    @Override
    public void close() {
        messages.close();
    }
}
