package dev.larder.codec;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * Thrown when bytes are not a value of the type as which they are read. The text describes the bytes and their place.
 */
public class ValueMismatchException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public ValueMismatchException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public ValueMismatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
