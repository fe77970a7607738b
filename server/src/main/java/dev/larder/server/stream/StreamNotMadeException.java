package dev.larder.server.stream;

import java.io.Serial;

/**
 * Thrown when a command needs a stream that is not complete yet, in a thread that may not wait for the disk. The command has
 * changed nothing. Another thread makes the stream, and the command is run again. There is no stack trace, because this is not
 * a failure.
 */
public final class StreamNotMadeException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient UnnamedStream stream;

    /** Creates an error about a stream. */
    public StreamNotMadeException(UnnamedStream stream) {
        super("a stream has to be made first", null, false, false);
        this.stream = stream;
    }

    /** Returns the stream, which {@link UnnamedStream#make} continues. */
    public UnnamedStream stream() {
        return stream;
    }
}
