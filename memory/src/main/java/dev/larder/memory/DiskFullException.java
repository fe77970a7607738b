package dev.larder.memory;

import java.io.Serial;

/** The file system has no room (or no quota) for what was asked. Nothing was lost; free space and try again. */
public class DiskFullException extends StorageException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public DiskFullException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
