package dev.larder.server.stream;

import dev.larder.log.NotInMemoryException;
import java.io.Serial;

/**
 * Thrown when a thread that may not wait for the disk uses a stream whose queue is closed, or entries that are not in memory.
 * The exception knows which: another thread calls {@link #bringIn}, and the use is repeated.
 */
public final class StreamNotInMemoryException extends NotInMemoryException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient StreamUse stream;
    private final long from;
    private final long to;

    /**
     * The first thing that was missing.
     *
     * @param stream the number of the stream
     * @param from the sequence of the entry, or -1 for the queue
     */
    public record Place(long stream, long from) {}

    /**
     * Creates an error about the entries from a sequence up to another, exclusive; about the queue alone if the range is
     * empty.
     */
    StreamNotInMemoryException(StreamUse stream, long from, long to, String message) {
        super(message);
        this.stream = stream;
        this.from = from;
        this.to = to;
    }

    /** Returns the first thing that was missing. */
    public Place place() {
        return new Place(stream.number(), from);
    }

    /** Opens the queue and loads the entries. Other threads use the stream meanwhile, except while its queue is opened. */
    public void bringIn() {
        stream.bringIn(from, to);
    }
}
