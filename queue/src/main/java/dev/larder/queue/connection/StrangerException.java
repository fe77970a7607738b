package dev.larder.queue.connection;

import java.io.IOException;
import java.io.Serial;

/** Thrown when one side of a connection does not accept the other. */
public final class StrangerException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public StrangerException(String message) {
        super(message);
    }

    StrangerException(String message, Throwable cause) {
        super(message, cause);
    }
}
