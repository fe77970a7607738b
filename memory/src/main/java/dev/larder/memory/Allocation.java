package dev.larder.memory;

/** How a file gets the space that it is mapped over. */
public enum Allocation {
    /** Blocks are reserved without being written (fallocate: ext4, XFS, tmpfs); zeros where that is refused. */
    RESERVE,
    /** Zeros are written. */
    ZEROS,
    /** Nothing is reserved: for file systems that write every block anew, where a reservation promises nothing. */
    GROW
}
