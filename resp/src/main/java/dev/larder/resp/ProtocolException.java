package dev.larder.resp;

import java.io.Serial;

/**
 * Thrown when a client has sent bytes that are not a request. The text is Redis' own, without {@code ERR Protocol error: }
 * before it. The server replies with it and closes the connection: it cannot know where the next request begins.
 */
public final class ProtocolException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates an error with its text. It has no stack trace, because a client can cause one with each byte. */
    public ProtocolException(String message) {
        super(message, null, false, false);
    }

    /** Returns the whole line of the error reply, without {@code -} and the end of the line. */
    public String reply() {
        return "ERR Protocol error: " + getMessage();
    }
}
