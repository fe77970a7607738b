package dev.larder.server.store;

/** What a key holds. */
public enum KeyType {
    /** Nothing: there is no such key. */
    NONE("none"),
    /** Bytes. */
    STRING("string"),
    /** Entries in the order of their ids. */
    STREAM("stream");

    private final String text;

    KeyType(String text) {
        this.text = text;
    }

    /** Returns what {@code TYPE} answers. */
    public String text() {
        return text;
    }
}
