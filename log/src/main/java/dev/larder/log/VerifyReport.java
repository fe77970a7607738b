package dev.larder.log;

import java.util.List;

/**
 * What a verification found.
 *
 * @param records the COMMITTED records that were read
 * @param bytes their payload
 * @param abandoned claims that became padding
 * @param openClaims claims that are not settled: their writers are at it, or have died; the next writer that meets one settles it
 * @param checkedBytes bytes covered by a checksum that was computed again: of records, or of sealed ranges
 * @param endPosition where the chain ends
 * @param problems what is damaged, each with file and position; empty when all is sound. The last text says how many more
 *     there were, where the list was cut
 */
public record VerifyReport(
        long records,
        long bytes,
        long abandoned,
        long openClaims,
        long checkedBytes,
        long endPosition,
        List<String> problems) {

    /** Returns whether nothing is damaged. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
