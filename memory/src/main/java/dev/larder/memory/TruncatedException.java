package dev.larder.memory;

import java.io.Serial;

/** A file is shorter than its header says. */
public class TruncatedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public TruncatedException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public TruncatedException(String message, Throwable cause) {
        super(message, cause);
    }
}
