package dev.larder.memory;

import java.io.Serial;

/** Thrown when this machine, this JVM, or the kind of region does not support a request. The text gives the reason. */
public class UnsupportedRegionException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes an error with its text. */
    public UnsupportedRegionException(String message) {
        super(message);
    }

    /** Makes an error with its text and its cause. */
    public UnsupportedRegionException(String message, Throwable cause) {
        super(message, cause);
    }
}
