package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * Thrown when a live process holds a bookmark, which that process alone may move. The text names the process, and since
 * when it holds the bookmark.
 */
public class BookmarkHeldException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public BookmarkHeldException(String message) {
        super(message);
    }
}
