package dev.larder.memory;

import java.io.Serial;

/** Thrown when the object was closed before the call. */
public class ClosedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public ClosedException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public ClosedException(String message, Throwable cause) {
        super(message, cause);
    }
}
