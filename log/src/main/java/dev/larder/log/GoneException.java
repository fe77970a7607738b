package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * Thrown when a position lies in a segment that was dropped, was cut, or is beyond the end. For a dropped segment the
 * text names the first segment that is left.
 */
public class GoneException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public GoneException(String message) {
        super(message);
    }
}
