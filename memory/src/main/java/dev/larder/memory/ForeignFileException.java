package dev.larder.memory;

import java.io.Serial;

/** Thrown when a file has another format than expected: it is another program's, or another format of Larder. */
public class ForeignFileException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public ForeignFileException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public ForeignFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
