package dev.larder.resp;

import java.io.Serial;

/**
 * Thrown when a command fails: the text is the error reply. Thrown before the command has changed or written anything. It has
 * no stack trace, because a client can cause it at will.
 */
public final class ReplyException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String line;

    /** Creates an error with its whole line: a code in capitals, a space, a text. */
    public ReplyException(String line) {
        super(line, null, false, false);
        this.line = line;
    }

    /** Returns the error reply, without {@code -} and the end of the line. */
    public String line() {
        return line;
    }

    /** Returns the error for options that make no sense. */
    public static ReplyException syntax() {
        return new ReplyException("ERR syntax error");
    }

    /** Returns the error for an argument that is not an integer. */
    public static ReplyException notInteger() {
        return new ReplyException("ERR value is not an integer or out of range");
    }
}
