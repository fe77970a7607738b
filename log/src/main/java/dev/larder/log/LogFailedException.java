package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * A flush or a mapped store of the log failed, so it takes no more records in any process; what was committed stays
 * readable.
 */
public class LogFailedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public LogFailedException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public LogFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
