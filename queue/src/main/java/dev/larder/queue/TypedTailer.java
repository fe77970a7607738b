package dev.larder.queue;

import dev.larder.codec.Codec;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.ValueMismatchException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A tailer that decodes the messages of a queue to values, in order. It allocates nothing per message except what the
 * codec allocates. One thread at a time.
 *
 * <p>If a handler throws, or a message is not of the codec's type, the tailer stays before that message. {@link #skip}
 * moves past it.
 *
 * <p>{@link #next}, {@link #iterator} and {@link #stream} hand a value out, and the caller handles it afterwards. Its message
 * counts as handled when the caller asks for another one, even if there is none. If the process crashes or the caller closes
 * the tailer before that, the stored position of a named tailer stays before the value. A view of a
 * {@link dev.larder.codec.ViewCodec} that was handed out is valid until the tailer is used again.
 *
 * @param <T> the type of the values
 */
public final class TypedTailer<T> implements AutoCloseable, Iterable<T> {

    private final Tailer tailer;
    private final Path directory;
    private final Codec<T> codec;

    /** Kept for the next call, so that a message costs no object; null while a call uses it. */
    private @Nullable Reading spare;

    TypedTailer(Tailer tailer, Codec<T> codec, Path directory) {
        this.tailer = tailer;
        this.directory = directory;
        this.codec = codec;
    }

    /** Decodes each message for a handler. */
    private final class Reading implements MessageHandler {

        private @Nullable Consumer<? super T> handler;

        @Override
        public void onMessage(MemorySegment segment, long offset, int length) {
            T value = read(segment, offset, length);
            if (handler != null) {
                handler.accept(value);
            }
        }
    }

    private T read(MemorySegment segment, long offset, int length) {
        try {
            return codec.read(segment, offset, length);
        } catch (ValueMismatchException e) {
            throw MessageErrors.located(e, directory, tailer.position());
        }
    }

    /** Returns a handler of this tailer's messages that decodes each. */
    MessageHandler handlerOf(Consumer<? super T> values) {
        return (segment, offset, length) -> values.accept(read(segment, offset, length));
    }

    /**
     * Returns a separate reading for each call. A call from inside a handler is refused, and does not disturb the outer
     * reading.
     */
    private Reading begin(Consumer<? super T> handler) {
        Reading known = spare;
        Reading reading = known == null ? new Reading() : known;
        spare = null;
        reading.handler = handler;
        return reading;
    }

    private void end(Reading reading) {
        reading.handler = null;
        spare = reading;
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
        Reading reading = begin(handler);
        try {
            return tailer.drain(reading, limit);
        } finally {
            end(reading);
        }
    }

    /** Passes the next value to a handler, and waits for it as {@link Tailer#poll(MessageHandler, Duration)} does. */
    public boolean poll(Consumer<? super T> handler, Duration timeout) throws InterruptedException {
        Reading reading = begin(handler);
        try {
            return tailer.poll(reading, timeout);
        } finally {
            end(reading);
        }
    }

    /** Passes the value of the previous message to a handler, as {@link Tailer#pollBackward} does. */
    public boolean pollBackward(Consumer<? super T> handler) {
        return drainBackward(handler, 1) == 1;
    }

    /** Passes up to {@code limit} previous values to a handler, the newest first; returns how many. */
    public int drainBackward(Consumer<? super T> handler, int limit) {
        Reading reading = begin(handler);
        try {
            return tailer.drainBackward(reading, limit);
        } finally {
            end(reading);
        }
    }

    /** Returns the next value; empty if there is none yet. It costs one object more than {@link #poll}. */
    public Optional<T> next() {
        Object[] value = new Object[1];
        boolean read = tailer.take((segment, offset, length) -> value[0] = read(segment, offset, length));
        @SuppressWarnings("unchecked") // the value that the handler was given
        Optional<T> next = read ? Optional.ofNullable((T) value[0]) : Optional.empty();
        return next;
    }

    /**
     * Returns the values from the tailer's position up to the end of the queue at this moment. The iterator does not wait: it
     * ends before a message that is still being written. It moves this tailer, so a second iterator continues where the first
     * stopped. After the tailer is closed, the iterator throws a {@link dev.larder.memory.ClosedException}.
     */
    @Override
    public Iterator<T> iterator() {
        return remaining();
    }

    /** Returns the values that {@link #iterator} returns. It does not split. */
    @Override
    public Spliterator<T> spliterator() {
        return remaining();
    }

    private RemainingValues<T> remaining() {
        return new RemainingValues<>(tailer, this::read);
    }

    /**
     * Returns the values that {@link #iterator} returns. The stream is sequential, even after {@code parallel()}, and reads no
     * further than the pipeline requires. Closing it does nothing: close the tailer.
     */
    public Stream<T> stream() {
        return StreamSupport.stream(remaining(), false);
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

    /** Moves to the message of a sequence, as {@link Tailer#toSequence} does. */
    public TypedTailer<T> toSequence(long sequence) {
        tailer.toSequence(sequence);
        return this;
    }

    /** Moves to the first message of a time or later, or up to a MiB before it, as {@link Tailer#toTime} does. */
    public TypedTailer<T> toTime(Instant time) {
        tailer.toTime(time);
        return this;
    }

    /** Stores the tailer's position under its name, as {@link Tailer#commit} does. */
    public void commit() {
        tailer.commit();
    }

    /** Returns the position of the next message; inside a handler, of the message being handled. */
    public long position() {
        return tailer.position();
    }

    /** Returns the sequence of the next message, as {@link Tailer#sequence} does. */
    public long sequence() {
        return tailer.sequence();
    }

    /** Closes the tailer; waits for a running handler. Closing it again does nothing. */
    @Override
    public void close() {
        tailer.close();
    }
}
