package dev.larder.map;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** A map is opened with codecs whose names are not those that it stores. The text names all of them, and the file. */
public class CodecMismatchException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public CodecMismatchException(String message) {
        super(message);
    }
}
