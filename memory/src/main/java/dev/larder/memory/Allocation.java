package dev.larder.memory;

/** How a file gets the space that it is mapped over. */
public enum Allocation {
    /** Blocks are reserved without being written (fallocate: ext4, XFS, tmpfs); zeros where that is refused. */
    RESERVE,
    /** Zeros are written. */
    ZEROS,
    /**
     * Nothing is reserved: for file systems that write every block anew, where a reservation promises nothing. Where the
     * file system lets a file be written in place (btrfs), it is; then it neither compresses nor sums it.
     */
    GROW,
    /** As {@link #GROW}, but written anew, so that btrfs compresses and sums the file as its mount says. */
    GROW_COPIED;

    /** Returns whether the space for what is stored later is set aside. */
    public boolean isReserved() {
        return this == RESERVE || this == ZEROS;
    }
}
