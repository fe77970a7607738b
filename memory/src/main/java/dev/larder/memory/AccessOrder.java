package dev.larder.memory;

/** In which order a mapping is going to be used: what the system brings in around a page, and which pages it keeps. */
public enum AccessOrder {

    /** Unknown: some pages are read ahead, and pages that are touched again are kept longer. */
    NORMAL,

    /** From the start to the end: many pages are read ahead, and the oldest go first, touched again or not. */
    SEQUENTIAL,

    /** Here and there, or written around the mapping: a fault brings in its page alone. */
    RANDOM
}
