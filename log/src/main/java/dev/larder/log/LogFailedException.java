package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * Thrown when a flush or a mapped store of the log has failed, or its files were removed or replaced. The log then takes no
 * more records in any process. Committed records stay readable.
 */
public class LogFailedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public LogFailedException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public LogFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
