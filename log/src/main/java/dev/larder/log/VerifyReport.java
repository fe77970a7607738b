package dev.larder.log;

import java.util.List;

/**
 * What a verification found.
 *
 * @param records the COMMITTED records that were read
 * @param bytes their payload
 * @param abandoned claims that became padding
 * @param checkedBytes bytes covered by a checksum that was computed again: of records, or of sealed ranges
 * @param endPosition where the chain ends
 * @param problems what is damaged, each with file and position; empty when all is sound
 */
public record VerifyReport(
        long records, long bytes, long abandoned, long checkedBytes, long endPosition, List<String> problems) {

    /** Returns whether nothing is damaged. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
