package dev.larder.queue;

import java.util.List;

/**
 * What a repair has copied, and what it could not.
 *
 * @param messages the sound ones, which were copied
 * @param bytes of them
 * @param schemas that were copied
 * @param lost messages that are known to be lost: damaged, or counted by a file behind them and not there. Nothing counts
 *     those that stood behind the last sound message
 * @param lostBytes how many bytes were left out of the files that are there
 * @param problems what is damaged, each with file and position; empty when all was sound. The last text says how many more
 *     there were, where the list was cut
 */
public record RepairReport(long messages, long bytes, int schemas, long lost, long lostBytes, List<String> problems) {

    /** Returns whether nothing was damaged. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
