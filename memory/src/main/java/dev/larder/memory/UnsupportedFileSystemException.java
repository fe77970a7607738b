package dev.larder.memory;

import java.io.Serial;

/** Thrown when the directory lies on a file system on which shared memory is unreliable, or which lacks hard links. */
public class UnsupportedFileSystemException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public UnsupportedFileSystemException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public UnsupportedFileSystemException(String message, Throwable cause) {
        super(message, cause);
    }
}
