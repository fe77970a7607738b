package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * Thrown when a thread that may not wait for the disk would have to read a record from it. Nothing was changed. The same call
 * succeeds once another thread has read the record, or on a thread that may wait. It has no stack trace, since it is no
 * failure and may come often.
 */
public class NotInMemoryException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public NotInMemoryException(String message) {
        super(message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
