package dev.larder.memory;

import java.io.Serial;

/** Thrown when the system refused a file operation. The text has the path and the system's own words. */
public class StorageException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public StorageException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
