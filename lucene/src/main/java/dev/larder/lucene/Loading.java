package dev.larder.lucene;

/** When the files that a folder has already are brought into memory. */
public enum Loading {

    /** All of them before the directory is opened, in parallel. */
    EAGER,

    /**
     * Each in the background, once it is opened for the first time: that input, and others until the file is in memory,
     * are served by a mapping of the file; those opened afterwards are served from memory.
     */
    LAZY,

    /** Never: what was there is read through mappings, what is written from now on is in memory. */
    NEVER
}
