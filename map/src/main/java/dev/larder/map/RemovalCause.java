package dev.larder.map;

/** Why an entry is not there any more, or has another value. */
public enum RemovalCause {
    /** A caller removed it. */
    REMOVED,
    /** A caller put another value. */
    REPLACED,
    /** Its lifetime had ended; told when the cleaner came to it, or when it was put or removed again. */
    EXPIRED,
    /** There was no room for it: see {@link Cleaning#evicting}. */
    EVICTED
}
