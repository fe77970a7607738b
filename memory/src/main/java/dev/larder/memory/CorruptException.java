package dev.larder.memory;

import java.io.Serial;

/** Bytes are not what was written: a check failed. The text names the file and the position. */
public class CorruptException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public CorruptException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public CorruptException(String message, Throwable cause) {
        super(message, cause);
    }
}
