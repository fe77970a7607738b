package dev.larder.memory;

import java.io.Serial;

/** The object was closed before the call. */
public class ClosedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public ClosedException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public ClosedException(String message, Throwable cause) {
        super(message, cause);
    }
}
