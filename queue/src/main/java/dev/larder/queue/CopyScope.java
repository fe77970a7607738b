package dev.larder.queue;

/** The messages of a queue that a copy takes. */
public enum CopyScope {
    /** Every committed message, at once. If the source loses power, it may lose messages that the copy has. */
    COMMITTED,
    /** Only messages that are durable in the source. The copy has nothing that the source could lose. */
    DURABLE
}
