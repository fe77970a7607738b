package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** A log that was opened read-only was asked to write. */
public class ReadOnlyException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public ReadOnlyException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public ReadOnlyException(String message, Throwable cause) {
        super(message, cause);
    }
}
