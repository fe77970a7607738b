package dev.larder.server.store;

import java.io.Serial;

/** Thrown when a command meets a key of another type. It has no stack trace, because a client can cause it at will. */
public final class WrongTypeException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** The error reply. */
    public static final String LINE = "WRONGTYPE Operation against a key holding the wrong kind of value";

    /** The error that Redis answers. */
    public WrongTypeException() {
        super(LINE, null, false, false);
    }
}
