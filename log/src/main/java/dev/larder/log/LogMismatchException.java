package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** An option asks for something else than what the log was created with, or is open with. */
public class LogMismatchException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public LogMismatchException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public LogMismatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
