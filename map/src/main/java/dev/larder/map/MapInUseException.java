package dev.larder.map;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** Thrown when the map is open in this process, or in another one that cannot share it. The text names the file. */
public class MapInUseException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates an error with its text. */
    public MapInUseException(String message) {
        super(message);
    }
}
