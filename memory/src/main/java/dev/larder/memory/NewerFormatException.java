package dev.larder.memory;

import java.io.Serial;

/** A file is of a version, or has a feature, that this release does not know. Use a newer release. */
public class NewerFormatException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public NewerFormatException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public NewerFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
