package dev.larder.map;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * A change that may not wait ({@link LarderMap#withoutWaiting}) would have to: for the cleaner, for a sync, or to clean
 * itself. Nothing was changed. The same change may succeed later, or on a thread that may wait.
 */
public class NoRoomYetException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates an error with its text. */
    public NoRoomYetException(String message) {
        super(message);
    }

    /** Creates an error with its text and its cause. */
    public NoRoomYetException(String message, Throwable cause) {
        super(message, cause);
    }
}
