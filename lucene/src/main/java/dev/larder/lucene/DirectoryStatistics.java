package dev.larder.lucene;

/**
 * The contents of a {@link LarderDirectory} now, and its work since it was opened.
 *
 * @param filesInMemory the files that are served from memory
 * @param filesOnDisk the files that the directory knows and serves through mappings
 * @param bytesInMemory the summed lengths of the files in memory
 * @param budgetUsedBytes how much of the budget is used, by all directories that share it
 * @param hugeBytes the bytes on huge pages as the kernel counts them, for all directories of this JVM; 0 without native calls
 * @param lockedBytes how much of the files in memory is locked
 * @param loads the files that were loaded into memory
 * @param loadedBytes their bytes
 * @param loadNanos the time that their reading took, summed over the threads
 * @param leftOnDisk how often a file stayed on the disk, or moved there, for lack of room
 * @param refused how often a file was refused for lack of room
 * @param evicted the files that left memory to make room
 * @param recycledBytes the memory that deleted and evicted files gave back, after the last of their inputs was closed
 * @param unwrittenBytes how much is in memory and not yet handed to the folder's file system
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
