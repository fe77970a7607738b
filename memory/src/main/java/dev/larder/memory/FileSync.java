package dev.larder.memory;

/**
 * The mode in which a mapped file is opened: one of the three of {@code java.io.RandomAccessFile}.
 *
 * <p>The system applies a mode to bytes that a call writes. No mode makes a store into a mapping durable; only
 * {@code Region.force} does. So the mode decides what is durable when {@code Region.transferFrom} returns.
 */
public enum FileSync {

    /** Mode {@code rw}: nothing is durable until it is forced. */
    NONE("rw"),

    /** Mode {@code rwd}: the bytes, and the metadata needed to read them. */
    DATA("rwd"),

    /** Mode {@code rws}: the bytes, and all metadata of the file. */
    ALL("rws");

    private final String mode;

    FileSync(String mode) {
        this.mode = mode;
    }

    /** Returns the mode as {@code RandomAccessFile} spells it. */
    public String mode() {
        return mode;
    }
}
