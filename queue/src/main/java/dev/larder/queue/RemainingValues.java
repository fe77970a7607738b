package dev.larder.queue;

import java.io.Serial;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The values from a tailer's position up to the end that the queue had at creation. As a spliterator it does not split: a part
 * that another thread handles later would count as handled too early.
 */
final class RemainingValues<T> implements Iterator<T>, Spliterator<T> {

    private final Tailer tailer;
    private final ValueReader<T> reader;
    private final long end;
    private final PastEndException pastEnd = new PastEndException();
    private final MessageHandler keeping = this::keep;
    private @Nullable T value;

    RemainingValues(Tailer tailer, ValueReader<T> reader) {
        this.tailer = tailer;
        this.reader = reader;
        this.end = tailer.endPosition();
    }

    /** Reads the value of a message. */
    @FunctionalInterface
    interface ValueReader<T> {

        T read(MemorySegment segment, long offset, int length);
    }

    /** Thrown at a message that was appended later, so that the tailer stays before it. */
    private static final class PastEndException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1L;

        private PastEndException() {
            super("past the end", null, false, false);
        }
    }

    /**
     * Looks whether there is a next value, and leaves the tailer before it: the caller may never ask for it, and another
     * iterator then begins with it. The caller's previous value counts as handled now, also at the end.
     */
    @Override
    public boolean hasNext() {
        return tailer.hasNextBefore(end);
    }

    @Override
    public T next() {
        if (!take()) {
            throw new NoSuchElementException("the stream has delivered all messages that the queue had when it began");
        }
        return taken();
    }

    @SuppressWarnings("NullAway") // a value was kept, and it is null only if a codec reads null
    private T taken() {
        T taken = value;
        value = null;
        return taken;
    }

    /** Takes the next value, if there is one. The caller's previous value counts as handled now, also at the end. */
    private boolean take() {
        try {
            return tailer.take(keeping);
        } catch (PastEndException e) {
            return false;
        }
    }

    private void keep(MemorySegment segment, long offset, int length) {
        if (tailer.position() >= end) {
            throw pastEnd;
        }
        value = reader.read(segment, offset, length);
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        boolean there = take(); // without a look before: it would be a second entry of the reader for each message
        if (there) {
            action.accept(taken());
        }
        return there;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        while (take()) {
            action.accept(taken());
        }
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
        return null;
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return ORDERED;
    }
}
