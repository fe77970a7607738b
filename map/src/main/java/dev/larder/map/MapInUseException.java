package dev.larder.map;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** This process has the map open already, or another one that cannot share it. The text names the file. */
public class MapInUseException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public MapInUseException(String message) {
        super(message);
    }
}
