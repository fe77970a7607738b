package dev.larder.memory;

/** The way in which a file gets its disk space before it is mapped. */
public enum Allocation {
    /**
     * Blocks are reserved without being written (fallocate: ext4, XFS, tmpfs). If that is refused, zeros are written.
     */
    RESERVE,
    /** Zeros are written. */
    ZEROS,
    /**
     * Nothing is reserved: for copy-on-write file systems, where a reservation promises nothing. If the file system can
     * write a file in place (btrfs), the file is written in place, and is then neither compressed nor checksummed.
     */
    GROW,
    /**
     * As {@link #GROW}, but written copy-on-write, so that btrfs compresses and checksums the file as its mount options
     * say.
     */
    GROW_COPIED;

    /** Returns whether the space for later stores is reserved. */
    public boolean isReserved() {
        return this == RESERVE || this == ZEROS;
    }
}
