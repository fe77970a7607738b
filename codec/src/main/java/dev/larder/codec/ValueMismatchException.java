package dev.larder.codec;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * Thrown when bytes are not a value of the type that they are read as. The text describes the bytes, and where they
 * are.
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
