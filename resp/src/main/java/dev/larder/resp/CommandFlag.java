package dev.larder.resp;

import java.util.Locale;

/** A property of a command, as {@code COMMAND INFO} shows it. */
public enum CommandFlag {
    /** It may change keys. */
    WRITE,
    /** It reads keys, and changes none. */
    READONLY,
    /** It may need more memory, and is refused while there is none. */
    DENYOOM,
    /** It is for operators. */
    ADMIN,
    /** It belongs to publish and subscribe. */
    PUBSUB,
    /** It takes the same short time whatever the size of the data. */
    FAST,
    /** It may make its client wait. */
    BLOCKING,
    /** A client that is not authenticated may send it. */
    NO_AUTH,
    /** It may not be in a transaction. */
    NO_MULTI,
    /** It may not be in a script. */
    NOSCRIPT,
    /** It answers while the server loads its data. */
    LOADING,
    /** It answers while the server's data may be old. */
    STALE,
    /** {@code MONITOR} does not show it. */
    SKIP_MONITOR,
    /** {@code SLOWLOG} does not keep it. */
    SKIP_SLOWLOG,
    /** Its keys are not at fixed positions. */
    MOVABLEKEYS;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Returns the flag's name in replies. */
    public String text() {
        return text;
    }

    static CommandFlag of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
