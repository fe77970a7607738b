package dev.larder.memory;

import java.io.Serial;

/**
 * A limit of the process or the machine is reached: open files, or mappings. What was asked for was not done, nothing
 * is lost by it, and nothing was left behind; raise the limit, or close something, and try again.
 */
public class SystemLimitException extends StorageException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public SystemLimitException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public SystemLimitException(String message, Throwable cause) {
        super(message, cause);
    }
}
