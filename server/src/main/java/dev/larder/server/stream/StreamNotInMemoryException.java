package dev.larder.server.stream;

import dev.larder.log.NotInMemoryException;
import java.io.Serial;

/**
 * Thrown where a thread that may not wait for the disk uses a stream whose queue is closed, or entries that are not in memory.
 * It knows them: another thread calls {@link #bringIn}, and the use is repeated.
 */
public final class StreamNotInMemoryException extends NotInMemoryException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient StreamUse stream;
    private final long from;
    private final long to;

    /**
     * What was missing first.
     *
     * @param stream the number of the stream
     * @param from the sequence of the entry, or -1 of its queue
     */
    public record Place(long stream, long from) {}

    /** An error about the entries from a sequence up to another, exclusive; the queue alone where there are none between. */
    StreamNotInMemoryException(StreamUse stream, long from, long to, String message) {
        super(message);
        this.stream = stream;
        this.from = from;
        this.to = to;
    }

    /** Returns what was missing first. */
    public Place place() {
        return new Place(stream.number(), from);
    }

    /** Opens the queue and reads the entries into memory. Others use the stream meanwhile, except while its queue is opened. */
    public void bringIn() {
        stream.bringIn(from, to);
    }
}
