package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** A bookmark is held by a process that lives, which alone may move it. The text names the process, and since when. */
public class BookmarkHeldException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public BookmarkHeldException(String message) {
        super(message);
    }
}
