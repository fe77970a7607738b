package dev.larder.log;

import java.io.Serial;

/**
 * A reader stood, or wanted to go, where the log was dropped since. It stays where it was; go on at
 * {@link #firstPosition}, or with {@code LogReader#moveToFirst}, which also copes with what is dropped meanwhile.
 */
public class FellBehindException extends GoneException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final long position;
    private final long firstPosition;

    /** An error with its text, the position that is gone, and the first that was there at the time. */
    public FellBehindException(String message, long position, long firstPosition) {
        super(message);
        this.position = position;
        this.firstPosition = firstPosition;
    }

    /** Returns the position that is gone: what lay from there to the first was not read. */
    public long position() {
        return position;
    }

    /** Returns where the log began at the time. */
    public long firstPosition() {
        return firstPosition;
    }
}
