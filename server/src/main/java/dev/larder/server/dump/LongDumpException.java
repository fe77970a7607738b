package dev.larder.server.dump;

import java.io.Serial;

/**
 * Thrown when a stream is too long for a thread that serves many clients to make its dump. Another thread makes it, and the
 * command is run again. There is no stack trace, because this is not a failure.
 */
public final class LongDumpException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    LongDumpException() {
        super("another thread has to make a long dump", null, false, false);
    }
}
