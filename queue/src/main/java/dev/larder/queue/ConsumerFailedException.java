package dev.larder.queue;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** Thrown when a {@link QueueConsumer} has stopped because its handler threw. The cause is the handler's exception. */
public class ConsumerFailedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final long position;

    /** Makes an error with its text, the position of the message that was not handled, and the handler's exception. */
    public ConsumerFailedException(String message, long position, Throwable cause) {
        super(message, cause);
        this.position = position;
    }

    /** Returns the position of the message that was not handled. The next consumer of the name begins with it. */
    public long position() {
        return position;
    }
}
