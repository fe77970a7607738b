package dev.larder.array.campaign;

import java.util.List;

/**
 * A reply of a server.
 *
 * @param kind its first character; {@code 0} for nil
 * @param text its text; empty for an array
 * @param parts of an array
 */
record Reply(char kind, String text, List<Reply> parts) {

    static final char NIL = '0';

    boolean isError() {
        return kind == '-';
    }

    boolean isNil() {
        return kind == NIL;
    }

    /** Returns the reply in the form of the history. */
    String result() {
        return isNil() ? "nil" : isError() ? "err" : text;
    }
}
