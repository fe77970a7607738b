package dev.larder.resp;

import java.util.Locale;

/** A group of commands that a rule of an ACL names, such as {@code @read}. */
public enum CommandCategory {
    KEYSPACE,
    READ,
    WRITE,
    SET,
    SORTEDSET,
    LIST,
    HASH,
    STRING,
    BITMAP,
    HYPERLOGLOG,
    GEO,
    STREAM,
    PUBSUB,
    ADMIN,
    FAST,
    SLOW,
    BLOCKING,
    DANGEROUS,
    CONNECTION,
    TRANSACTION,
    SCRIPTING;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Returns the category's name, without {@code @}. */
    public String text() {
        return text;
    }

    static CommandCategory of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
