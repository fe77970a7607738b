package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * Thrown when the log could not be used in time. Another process holds a lock, every slot is taken, or a live writer does not
 * commit. Or another copy of this library in the same JVM has the log open.
 */
public class LogBusyException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public LogBusyException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public LogBusyException(String message, Throwable cause) {
        super(message, cause);
    }
}
