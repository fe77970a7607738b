package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** Thrown when an option differs from the one with which the log was created or is open. */
public class LogMismatchException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public LogMismatchException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public LogMismatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
