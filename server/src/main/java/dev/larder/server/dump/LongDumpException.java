package dev.larder.server.dump;

import java.io.Serial;

/**
 * Thrown where a stream is too long for its dump to be made by a thread that serves many clients. Another thread makes it, and
 * the command is run again. It has no stack trace, since it is no failure.
 */
public final class LongDumpException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    LongDumpException() {
        super("another thread has to make a long dump", null, false, false);
    }
}
