package dev.larder.codec;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** Bytes are not a value of the type that they are read as. The text says what they are, and where they lie. */
public class ValueMismatchException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public ValueMismatchException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public ValueMismatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
