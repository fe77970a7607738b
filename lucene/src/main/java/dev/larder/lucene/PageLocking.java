package dev.larder.lucene;

/** Whether the system may take the memory of a file away, where it has swap. */
public enum PageLocking {

    /** It may. */
    NEVER,

    /** It may not, as far as it lets us say so; what it refuses is logged once, and goes on unlocked. */
    IF_POSSIBLE,

    /**
     * It may not; a file whose pages cannot be locked is refused with an {@link java.io.IOException} that names the limit.
     */
    REQUIRED
}
