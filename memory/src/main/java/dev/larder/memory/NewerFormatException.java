package dev.larder.memory;

import java.io.Serial;

/** Thrown when a file has a version or a feature that this release does not know. Use a newer release. */
public class NewerFormatException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public NewerFormatException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public NewerFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
