package dev.larder.server.store;

/** The type of a key's value. */
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

    /** Returns the reply of {@code TYPE}. */
    public String text() {
        return text;
    }
}
