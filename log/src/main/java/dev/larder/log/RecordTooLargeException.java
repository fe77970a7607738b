package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** Thrown when a record is larger than the log can hold. Nothing was claimed. */
public class RecordTooLargeException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public RecordTooLargeException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public RecordTooLargeException(String message, Throwable cause) {
        super(message, cause);
    }
}
