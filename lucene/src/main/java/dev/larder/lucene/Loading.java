package dev.larder.lucene;

/** When the existing files of a folder are loaded into memory. */
public enum Loading {

    /** All files, in parallel, before the opening returns. */
    EAGER,

    /**
     * Each file in the background, after it was first opened. Inputs opened before the file is in memory read a mapping of the
     * file; later inputs read memory. The loading begins when no file was opened for half a second, so the first queries have
     * the disk to themselves. It begins earlier if a thread waits for it.
     */
    LAZY,

    /** Never. Existing files are read through mappings; files written from now on are in memory. */
    NEVER
}
