package dev.larder.map;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** Another process, or this one, has the map open: one opening at a time. The text names the file. */
public class MapInUseException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public MapInUseException(String message) {
        super(message);
    }
}
