package dev.larder.memory;

import java.io.Serial;

/** Thrown when the file system has no room, or no quota, for a request. Nothing was lost. Free space and try again. */
public class DiskFullException extends StorageException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public DiskFullException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
