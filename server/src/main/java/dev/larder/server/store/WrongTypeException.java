package dev.larder.server.store;

import java.io.Serial;

/** A command met a key that holds another type than it works on. It has no stack trace: a client can cause one at will. */
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
