package dev.larder.lucene;

import org.jspecify.annotations.Nullable;

/** Where the files of one directory get their memory. */
interface BlockSource {

    /** Up to here files are small, in bytes. */
    long SMALL_BYTES = 2L << 20;

    /**
     * Takes a block for a file that grows, with as much room as can be had.
     *
     * @param leastBytes what is written at once, at least
     * @param expectedBytes what it may come to; 0 where nobody knows
     * @return null where the budget has not so much
     * @throws NoMemoryException where the system has not
     */
    @Nullable
    Block tryTakeGrowing(long leastBytes, long expectedBytes) throws NoMemoryException;

    /**
     * Takes a block for a file of a known length; null where the budget has not so much.
     *
     * @throws NoMemoryException where the system has not
     */
    @Nullable
    Block tryTake(long lengthBytes) throws NoMemoryException;

    /** Returns what {@link #tryTake} takes from the budget. */
    long chargeBytes(long lengthBytes);

    /** Returns what {@link #tryTakeGrowing} takes from the budget at once. */
    long growingChargeBytes(long leastBytes);

    /**
     * Returns a block that takes no more memory than a finished file needs: the same one, or a copy. By the one who writes.
     */
    Block fit(Block block, long lengthBytes);

    /** Returns what lies on huge pages. */
    long hugeBytes();

    /** Takes no more blocks: what is not recycled is freed with the last one. */
    void retire();
}
