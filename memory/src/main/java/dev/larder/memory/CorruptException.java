package dev.larder.memory;

import java.io.Serial;

/** Thrown when a check of bytes fails. The text names the file and the position. */
public class CorruptException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public CorruptException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public CorruptException(String message, Throwable cause) {
        super(message, cause);
    }
}
