package dev.larder.server.access;

import java.io.Serial;

/** Thrown when a rule of a user makes no sense. It has no stack trace, because a client can cause it at will. */
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
