package dev.larder.memory;

import java.io.Serial;

/** The directory lies on a file system that cannot be relied on for shared memory. */
public class UnsupportedFileSystemException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public UnsupportedFileSystemException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public UnsupportedFileSystemException(String message, Throwable cause) {
        super(message, cause);
    }
}
