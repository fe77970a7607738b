package dev.larder.server.client;

/**
 * The most bytes that may wait for a client to take them. A client with more is closed. Zero is no limit.
 *
 * @param hardBytes beyond this the client is closed at once
 * @param softBytes beyond this the client is closed, too, after some time
 * @param softSeconds for how long it may exceed {@code softBytes}
 */
public record OutputLimit(long hardBytes, long softBytes, long softSeconds) {

    /** No limit. */
    public static final OutputLimit NONE = new OutputLimit(0, 0, 0);

    /** Returns whether a client may have a number of bytes waiting at all. */
    public boolean allows(long bytes) {
        return hardBytes == 0 || bytes <= hardBytes;
    }

    /** Returns whether it may have them for a limited time only. */
    public boolean isSoft(long bytes) {
        return softBytes != 0 && bytes > softBytes;
    }
}
