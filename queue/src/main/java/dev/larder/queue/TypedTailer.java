package dev.larder.queue;

import dev.larder.codec.Codec;
import dev.larder.codec.SchemaMismatchException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A tailer that decodes the messages of a queue to values, in order. It allocates nothing per message except what the
 * codec allocates. One thread at a time.
 *
 * <p>If a handler throws, or a message is not of the codec's type, the tailer stays before that message. {@link #skip}
 * moves past it.
 *
 * @param <T> the type of the values
 */
public final class TypedTailer<T> implements AutoCloseable {

    private final Tailer tailer;
    private final Path directory;
    private final Reading<T> reading;

    TypedTailer(Tailer tailer, Codec<T> codec, Path directory) {
        this.tailer = tailer;
        this.directory = directory;
        this.reading = new Reading<>(codec);
    }

    /** Decodes each message for a handler; one object for all messages. */
    private static final class Reading<T> implements MessageHandler {

        private final Codec<T> codec;
        private @Nullable Consumer<? super T> handler;

        Reading(Codec<T> codec) {
            this.codec = codec;
        }

        Reading<T> of(@Nullable Consumer<? super T> next) {
            handler = next;
            return this;
        }

        @Override
        public void onMessage(MemorySegment segment, long offset, int length) {
            T value = codec.read(segment, offset, length);
            if (handler != null) {
                handler.accept(value);
            }
        }
    }

    /**
     * Passes the next value to a handler; returns false if there is none yet.
     *
     * @throws SchemaMismatchException if the message is not of the codec's type
     */
    public boolean poll(Consumer<? super T> handler) {
        return drain(handler, 1) == 1;
    }

    /**
     * Passes up to {@code limit} values to a handler; returns how many.
     *
     * @throws SchemaMismatchException if a message is not of the codec's type
     */
    public int drain(Consumer<? super T> handler, int limit) {
        try {
            return tailer.drain(reading.of(handler), limit);
        } catch (SchemaMismatchException e) {
            throw MessageErrors.located(e, directory, tailer.position());
        } finally {
            reading.of(null);
        }
    }

    /** Passes the next value to a handler, and waits for it as {@link Tailer#poll(MessageHandler, Duration)} does. */
    public boolean poll(Consumer<? super T> handler, Duration timeout) throws InterruptedException {
        try {
            return tailer.poll(reading.of(handler), timeout);
        } catch (SchemaMismatchException e) {
            throw MessageErrors.located(e, directory, tailer.position());
        } finally {
            reading.of(null);
        }
    }

    /** Returns the next value; empty if there is none yet. It costs one object more than {@link #poll}. */
    public Optional<T> next() {
        Object[] value = new Object[1];
        boolean read = poll(next -> value[0] = next);
        @SuppressWarnings("unchecked") // what the handler was given
        Optional<T> next = read ? Optional.ofNullable((T) value[0]) : Optional.empty();
        return next;
    }

    /** Skips the next message, of any type; returns false if there is none yet. */
    public boolean skip() {
        return tailer.poll((segment, offset, length) -> {});
    }

    /** Moves to the oldest message. */
    public TypedTailer<T> toStart() {
        tailer.toStart();
        return this;
    }

    /** Moves to the end, after the newest message. */
    public TypedTailer<T> toEnd() {
        tailer.toEnd();
        return this;
    }

    /** Moves to a position, as {@link Tailer#moveTo} does. */
    public TypedTailer<T> moveTo(long position) {
        tailer.moveTo(position);
        return this;
    }

    /** Returns the position of the next message; inside a handler, of the message being handled. */
    public long position() {
        return tailer.position();
    }

    /** Closes the tailer; waits for a running handler. */
    @Override
    public void close() {
        tailer.close();
    }
}
