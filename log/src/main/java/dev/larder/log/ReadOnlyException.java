package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** Thrown when a caller tries to write to a log that was opened read-only. */
public class ReadOnlyException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public ReadOnlyException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public ReadOnlyException(String message, Throwable cause) {
        super(message, cause);
    }
}
