package dev.larder.log;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** A position lies in a segment that was dropped. The text names the first segment that is still there. */
public class GoneException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public GoneException(String message) {
        super(message);
    }
}
