package dev.larder.memory;

/**
 * The expected order of accesses to a mapping. It decides which pages the system loads around a page, and which it
 * keeps.
 */
public enum AccessOrder {

    /** Unknown: some pages are read ahead, and pages that are touched again are kept longer. */
    NORMAL,

    /**
     * From the start to the end: many pages are read ahead, and the oldest are evicted first, even if they are touched
     * again.
     */
    SEQUENTIAL,

    /** At random, or written by calls beside the mapping: a fault loads only its page. */
    RANDOM
}
