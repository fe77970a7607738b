package dev.larder.memory;

import java.io.Serial;

/** The system refused a file operation. The text carries the path and the system's own words. */
public class StorageException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public StorageException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
