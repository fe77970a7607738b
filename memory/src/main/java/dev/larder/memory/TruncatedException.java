package dev.larder.memory;

import java.io.Serial;

/** Thrown when a file is shorter than its header says. */
public class TruncatedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public TruncatedException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public TruncatedException(String message, Throwable cause) {
        super(message, cause);
    }
}
