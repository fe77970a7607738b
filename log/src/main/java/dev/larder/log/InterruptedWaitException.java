package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** The thread was interrupted while it waited for another; its interrupt status is kept, and nothing was lost. */
public class InterruptedWaitException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public InterruptedWaitException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public InterruptedWaitException(String message, Throwable cause) {
        super(message, cause);
    }
}
