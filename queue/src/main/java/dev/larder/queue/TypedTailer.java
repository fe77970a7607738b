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
 * Reads the values of a queue in order. One thread at a time. Allocates nothing per message but what the codec does.
 *
 * <p>When a handler throws, or a message is not of the codec's type, the tailer stays before that message; {@link #skip}
 * goes over it.
 *
 * @param <T> the values
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

    /** Gives each message's value to a handler; an object for all. */
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
     * Hands the next message's value to a handler; returns false when there is none yet.
     *
     * @throws SchemaMismatchException when the message is not of the codec's type
     */
    public boolean poll(Consumer<? super T> handler) {
        return drain(handler, 1) == 1;
    }

    /** Hands up to {@code limit} values to a handler; returns how many. */
    public int drain(Consumer<? super T> handler, int limit) {
        try {
            return tailer.drain(reading.of(handler), limit);
        } catch (SchemaMismatchException e) {
            throw MessageErrors.located(e, directory, tailer.position());
        } finally {
            reading.of(null);
        }
    }

    /** Hands the next value to a handler, waiting for it as {@link Tailer#poll(MessageHandler, Duration)} does. */
    public boolean poll(Consumer<? super T> handler, Duration timeout) throws InterruptedException {
        try {
            return tailer.poll(reading.of(handler), timeout);
        } catch (SchemaMismatchException e) {
            throw MessageErrors.located(e, directory, tailer.position());
        } finally {
            reading.of(null);
        }
    }

    /** Returns the next message's value; empty when there is none yet. Costs an object more than {@link #poll}. */
    public Optional<T> next() {
        Object[] value = new Object[1];
        boolean read = poll(next -> value[0] = next);
        @SuppressWarnings("unchecked") // what the handler was given
        Optional<T> next = read ? Optional.ofNullable((T) value[0]) : Optional.empty();
        return next;
    }

    /** Goes over the next message, whatever it is; returns false when there is none yet. */
    public boolean skip() {
        return tailer.poll((segment, offset, length) -> {});
    }

    /** Goes to the oldest message. */
    public TypedTailer<T> toStart() {
        tailer.toStart();
        return this;
    }

    /** Goes behind the newest message. */
    public TypedTailer<T> toEnd() {
        tailer.toEnd();
        return this;
    }

    /** Goes to a position, as {@link Tailer#moveTo} does. */
    public TypedTailer<T> moveTo(long position) {
        tailer.moveTo(position);
        return this;
    }

    /** Returns the position of the next message; inside a handler, that of the message being handled. */
    public long position() {
        return tailer.position();
    }

    /** Closes the tailer; waits for a handler that is running. */
    @Override
    public void close() {
        tailer.close();
    }
}
