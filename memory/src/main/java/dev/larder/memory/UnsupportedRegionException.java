package dev.larder.memory;

import java.io.Serial;

/** This machine, this JVM, or this kind of region in general cannot do what was asked. The text says why. */
public class UnsupportedRegionException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public UnsupportedRegionException(String message) {
        super(message);
    }

    /** An error with its text and what caused it. */
    public UnsupportedRegionException(String message, Throwable cause) {
        super(message, cause);
    }
}
