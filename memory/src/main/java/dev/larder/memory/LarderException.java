package dev.larder.memory;

import java.io.Serial;

/** The root of all errors of Larder. The text names what was wrong, the value, the limit, and the file. */
public class LarderException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public LarderException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public LarderException(String message, Throwable cause) {
        super(message, cause);
    }
}
