package dev.larder.lucene;

/** When the files that a folder has already are brought into memory. */
public enum Loading {

    /** All of them before the directory is opened, in parallel. */
    EAGER,

    /**
     * Each in the background, once it was opened for the first time: that input, and others until the file is in memory,
     * are served by a mapping of the file; those opened afterwards are served from memory. It begins when no file was
     * opened for half a second, so that the first queries have the disk to themselves, or when somebody waits for it.
     */
    LAZY,

    /** Never: what was there is read through mappings, what is written from now on is in memory. */
    NEVER
}
