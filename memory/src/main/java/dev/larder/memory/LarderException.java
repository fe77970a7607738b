package dev.larder.memory;

import java.io.Serial;

/** The superclass of all errors of Larder. The text names the problem, the value, the limit, and the file. */
public class LarderException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public LarderException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public LarderException(String message, Throwable cause) {
        super(message, cause);
    }
}
