package dev.larder.queue;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** A {@link QueueConsumer} has stopped, because its handler threw. The cause is what the handler threw. */
public class ConsumerFailedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final long position;

    /** An error with its text, the position of the message that was not handled, and what the handler threw. */
    public ConsumerFailedException(String message, long position, Throwable cause) {
        super(message, cause);
        this.position = position;
    }

    /** Returns the position of the message that was not handled. The next consumer of the name begins with it. */
    public long position() {
        return position;
    }
}
