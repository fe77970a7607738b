package dev.larder.map;

import java.util.List;

/**
 * What a repair has copied, and what it could not.
 *
 * @param records the sound ones, from which the new map was made
 * @param entries that the new map has
 * @param lost records that are known to be lost: damaged, or counted by a file behind them and not there. Of those some were
 *     replaced or removed later
 * @param lostBytes how many bytes were left out of the files that are there
 * @param problems what is damaged, each with file and position; empty when all was sound. The last text says how many more
 *     there were, where the list was cut
 */
public record MapRepairReport(long records, long entries, long lost, long lostBytes, List<String> problems) {

    /** Returns whether nothing was damaged. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
