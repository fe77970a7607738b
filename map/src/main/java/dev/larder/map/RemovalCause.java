package dev.larder.map;

/** The reason why an entry is removed, or has another value. */
public enum RemovalCause {
    /** A caller removed it. */
    REMOVED,
    /** A caller put another value. */
    REPLACED,
    /**
     * Its lifetime had ended. It is reported when the cleaner reaches the entry, or when the key is put or removed
     * again.
     */
    EXPIRED,
    /** It was evicted, since there was no room: see {@link Cleaning#evicting}. */
    EVICTED
}
