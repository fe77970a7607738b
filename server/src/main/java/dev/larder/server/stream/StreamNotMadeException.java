package dev.larder.server.stream;

import java.io.Serial;

/**
 * Thrown where a command needs a stream that is not whole yet, in a thread that may not wait for the disk. It has changed
 * nothing. Another thread makes the stream, and the command is run again. It has no stack trace, since it is no failure.
 */
public final class StreamNotMadeException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient UnnamedStream stream;

    /** An error about a stream. */
    public StreamNotMadeException(UnnamedStream stream) {
        super("a stream has to be made first", null, false, false);
        this.stream = stream;
    }

    /** Returns the stream, which goes on with {@link UnnamedStream#make}. */
    public UnnamedStream stream() {
        return stream;
    }
}
