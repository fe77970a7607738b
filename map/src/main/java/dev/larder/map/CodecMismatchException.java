package dev.larder.map;

import dev.larder.memory.LarderException;
import java.io.Serial;

/**
 * Thrown when a map is opened with codecs whose names are not the stored ones. The text names all of them, and the
 * file.
 */
public class CodecMismatchException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates an error with its text. */
    public CodecMismatchException(String message) {
        super(message);
    }
}
