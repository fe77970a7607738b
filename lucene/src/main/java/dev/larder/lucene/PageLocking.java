package dev.larder.lucene;

/** Whether the system may swap the memory of a file out. */
public enum PageLocking {

    /** Memory is not locked. */
    NEVER,

    /** Memory is locked if the system allows it. A refusal is logged once, and the memory stays unlocked. */
    IF_POSSIBLE,

    /**
     * Memory is locked. A file whose pages cannot be locked is refused with an {@link java.io.IOException} that names the
     * limit.
     */
    REQUIRED
}
