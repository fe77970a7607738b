package dev.larder.server.config;

import java.io.Serial;

/** A value does not fit its parameter. It has no stack trace, since a client can cause one at will. */
public final class SettingException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String parameter;

    /** An error of a value, before its parameter is known. */
    public SettingException(String reason) {
        this("", reason);
    }

    /** An error of a parameter. */
    public SettingException(String parameter, String reason) {
        super(reason, null, false, false);
        this.parameter = parameter;
    }

    /** Returns the parameter's name; empty where the error does not know it. */
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
