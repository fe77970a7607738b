package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * Thrown when the thread was interrupted while it waited for another thread or process. Its interrupt status stays set, and
 * nothing was lost.
 */
public class InterruptedWaitException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public InterruptedWaitException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public InterruptedWaitException(String message, Throwable cause) {
        super(message, cause);
    }
}
