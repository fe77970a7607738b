package dev.larder.server.command;

/** How what is used stands to {@code maxmemory}. */
public enum MemoryState {
    /** There is no limit, or no more is used; or others are evicting keys. */
    WITHIN,
    /** Keys were evicted by this thread just now. */
    EVICTED,
    /** More is used, and nothing is evicted. */
    FULL
}
