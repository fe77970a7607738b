package dev.larder.map;

import java.util.List;

/**
 * The result of a repair: what was copied, and what was lost.
 *
 * @param records sound records, from which the new map was made
 * @param entries the number of entries of the new map
 * @param lost records known to be lost: damaged, or missing although a later file counts them. Some of them were
 *     replaced or removed later
 * @param lostBytes bytes of the existing files that were left out
 * @param problems each damaged part with its file and position; empty if everything was sound. If the list was cut, the
 *     last text says how many more there were
 */
public record MapRepairReport(long records, long entries, long lost, long lostBytes, List<String> problems) {

    /** Returns whether nothing was damaged. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
