package dev.larder.queue.connection;

import java.io.IOException;
import java.io.Serial;

/** Thrown when the other side of a connection is not one that this side accepts, or this side not one for the other. */
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
