package dev.larder.log;

import java.io.Serial;

/**
 * Thrown when a reader's position, or the position it should move to, lies in a dropped part of the log. The reader
 * stays where it was. Continue at {@link #firstPosition}, or with {@code LogReader#moveToFirst}, which also works while
 * segments are being dropped.
 */
public class FellBehindException extends GoneException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final long position;
    private final long firstPosition;

    /** Makes an error with its text, the position that was dropped, and the first position of the log at that time. */
    public FellBehindException(String message, long position, long firstPosition) {
        super(message);
        this.position = position;
        this.firstPosition = firstPosition;
    }

    /** Returns the position that was dropped. The records from it up to the first position were not read. */
    public long position() {
        return position;
    }

    /** Returns the position of the oldest record at that time. */
    public long firstPosition() {
        return firstPosition;
    }
}
