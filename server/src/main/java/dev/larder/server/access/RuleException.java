package dev.larder.server.access;

import java.io.Serial;

/** A rule of a user makes no sense. It has no stack trace, since a client can cause one at will. */
public final class RuleException extends RuntimeException {

    static final String SYNTAX = "Syntax error";

    @Serial
    private static final long serialVersionUID = 1L;

    RuleException(String reason) {
        super(reason, null, false, false);
    }

    static RuleException syntax() {
        return new RuleException(SYNTAX);
    }
}
