package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** A record is larger than the log can hold. Nothing was claimed. */
public class RecordTooLargeException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public RecordTooLargeException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public RecordTooLargeException(String message, Throwable cause) {
        super(message, cause);
    }
}
