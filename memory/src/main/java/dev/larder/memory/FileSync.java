package dev.larder.memory;

/**
 * In which mode a mapped file is opened: the three of {@code java.io.RandomAccessFile}.
 *
 * <p>The system applies a mode to what is written by a call; no mode makes a store into a mapping durable, only
 * {@code Region.force} does. So here it says what is durable when {@code Region.transferFrom} returns.
 */
public enum FileSync {

    /** Mode {@code rw}: nothing is, until it is forced. */
    NONE("rw"),

    /** Mode {@code rwd}: the bytes, and what is needed to read them. */
    DATA("rwd"),

    /** Mode {@code rws}: the bytes, and all that the file system tells about the file. */
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
