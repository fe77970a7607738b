package dev.larder.memory;

import java.io.Serial;

/**
 * Thrown when a limit of the process or the machine is reached: open files, or mappings. The request was not carried
 * out; it lost nothing and left nothing behind. Raise the limit, or close something, and try again.
 */
public class SystemLimitException extends StorageException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public SystemLimitException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public SystemLimitException(String message, Throwable cause) {
        super(message, cause);
    }
}
