package dev.larder.log;

import java.util.List;

/**
 * The result of a verification.
 *
 * @param records COMMITTED records that were read
 * @param bytes of their payloads
 * @param abandoned claims that became padding
 * @param openClaims claims that are not settled: their writers are still writing, or have died. The next writer that
 *     meets one settles it
 * @param checkedBytes bytes whose checksum was computed again: of records, or of sealed ranges
 * @param endPosition the position where the chain of records ends
 * @param problems each damaged part with its file and position; empty if everything is sound. If the list was cut, the
 *     last text says how many more there were
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
