package dev.larder.server.session;

/** The most bytes that may wait for a client to take them: at once, and for some time. Zero is no limit. */
@FunctionalInterface
interface OutputLimits {

    /** Returns whether a client may have a number of bytes waiting at all. */
    boolean allows(long bytes);
}
