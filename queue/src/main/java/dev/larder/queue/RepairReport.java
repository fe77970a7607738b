package dev.larder.queue;

import java.util.List;

/**
 * The result of a repair: what was copied, and what was lost.
 *
 * @param messages sound messages, which were copied
 * @param bytes of these messages
 * @param schemas that were copied
 * @param lost messages known to be lost: damaged, or missing although a later file counts them. Losses after the last sound
 *     message are not counted
 * @param lostBytes bytes of the existing files that were left out
 * @param problems each damaged part with its file and position; empty if everything was sound. If the list was shortened, the
 *     last text gives the number of further problems
 */
public record RepairReport(long messages, long bytes, int schemas, long lost, long lostBytes, List<String> problems) {

    /** Returns whether nothing was damaged. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
