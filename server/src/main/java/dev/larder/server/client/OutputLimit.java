package dev.larder.server.client;

/**
 * The most bytes that may wait for a client to take them. A client with more is closed. Zero is no limit.
 *
 * @param hardBytes with more the client is closed at once
 * @param softBytes with more for some time it is closed, too
 * @param softSeconds for how long it may have more
 */
public record OutputLimit(long hardBytes, long softBytes, long softSeconds) {

    /** No limit. */
    public static final OutputLimit NONE = new OutputLimit(0, 0, 0);

    /** Returns whether a client may have a number of bytes waiting at all. */
    public boolean allows(long bytes) {
        return hardBytes == 0 || bytes <= hardBytes;
    }

    /** Returns whether it may have them for some time only. */
    public boolean isSoft(long bytes) {
        return softBytes != 0 && bytes > softBytes;
    }
}
