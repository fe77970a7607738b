package dev.larder.memory;

import java.io.Serial;

/** A file is not of the format it should have: another program's, or another format of Larder. */
public class ForeignFileException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public ForeignFileException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public ForeignFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
