package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * The log could not be had in time: another process holds a lock, every slot is taken, or a copy of this library in the
 * same JVM has it open.
 */
public class LogBusyException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public LogBusyException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public LogBusyException(String message, Throwable cause) {
        super(message, cause);
    }
}
