package dev.larder.lucene;

/**
 * What a {@link LarderDirectory} holds now, and what it has done since it was opened.
 *
 * @param filesInMemory the files that are served from memory
 * @param filesOnDisk the files that the directory has met and serves through mappings
 * @param bytesInMemory the lengths of those in memory
 * @param budgetUsedBytes what the budget counts, for all directories that share it
 * @param hugeBytes what lies on huge pages, by the kernel's account, for all directories of this JVM; 0 without native calls
 * @param lockedBytes what is locked in memory, for the files that are there
 * @param loads the files that were brought into memory
 * @param loadedBytes their bytes
 * @param loadNanos the time that their reading took, summed over the threads
 * @param leftOnDisk how often a file stayed, or went, on the disk for want of room
 * @param refused how often a file was refused for want of room
 * @param evicted the files that made room
 * @param recycledBytes the memory that deleted and evicted files gave back, after the last of their inputs was closed
 * @param unwrittenBytes what is in memory and not yet handed to the folder's file system
 */
public record DirectoryStatistics(
        int filesInMemory,
        int filesOnDisk,
        long bytesInMemory,
        long budgetUsedBytes,
        long hugeBytes,
        long lockedBytes,
        long loads,
        long loadedBytes,
        long loadNanos,
        long leftOnDisk,
        long refused,
        long evicted,
        long recycledBytes,
        long unwrittenBytes) {}
