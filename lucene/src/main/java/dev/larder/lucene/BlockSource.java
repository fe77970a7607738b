package dev.larder.lucene;

import org.jspecify.annotations.Nullable;

/** The source of the memory of one directory's files. */
interface BlockSource {

    /** The largest length of a small file, in bytes. */
    long SMALL_BYTES = 2L << 20;

    /**
     * Takes a block for a growing file, with as much room as possible.
     *
     * @param leastBytes how many bytes are written at once, at least
     * @param expectedBytes the length that the file may reach; 0 if unknown
     * @return null if the budget has less
     * @throws NoMemoryException if the system has less
     */
    @Nullable
    Block tryTakeGrowing(long leastBytes, long expectedBytes) throws NoMemoryException;

    /**
     * Takes a block for a file of a known length; null if the budget has less.
     *
     * @throws NoMemoryException if the system has less
     */
    @Nullable
    Block tryTake(long lengthBytes) throws NoMemoryException;

    /** Returns how many bytes {@link #tryTake} takes from the budget. */
    long chargeBytes(long lengthBytes);

    /** Returns how many bytes {@link #tryTakeGrowing} takes from the budget at once. */
    long growingChargeBytes(long leastBytes);

    /**
     * Returns a block that takes no more memory than a finished file needs: the same block, or a copy. Only the writer calls
     * this.
     */
    Block fit(Block block, long lengthBytes);

    /** Returns how many bytes lie on huge pages. */
    long hugeBytes();

    /** Stops giving blocks. Memory that is not recycled is freed together with the last block. */
    void retire();
}
