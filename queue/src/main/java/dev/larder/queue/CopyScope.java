package dev.larder.queue;

/** Which messages of a queue are copied. */
public enum CopyScope {
    /** All that are committed, as soon as they are: a source that loses its power may lose what the copy has. */
    COMMITTED,
    /** Those that are durable where they come from: the copy has nothing that the source could lose. */
    DURABLE
}
