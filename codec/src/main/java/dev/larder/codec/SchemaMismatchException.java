package dev.larder.codec;

import java.io.Serial;

/**
 * Thrown when a message is not of the type as which it is read. The text names both types, the component and the queue.
 */
public class SchemaMismatchException extends ValueMismatchException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public SchemaMismatchException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public SchemaMismatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
