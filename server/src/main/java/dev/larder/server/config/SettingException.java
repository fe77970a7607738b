package dev.larder.server.config;

import java.io.Serial;

/** Thrown when a value does not fit its parameter. It has no stack trace, because a client can cause it at will. */
public final class SettingException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String parameter;

    /** Creates an error about a value, before its parameter is known. */
    public SettingException(String reason) {
        this("", reason);
    }

    /** Creates an error about a parameter. */
    public SettingException(String parameter, String reason) {
        super(reason, null, false, false);
        this.parameter = parameter;
    }

    /** Returns the parameter's name; empty if the error does not know it. */
    public String parameter() {
        return parameter;
    }

    /** Returns the same error with the name of its parameter. */
    SettingException of(String name) {
        return new SettingException(name, reason());
    }

    /** Returns what is wrong with the value. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
