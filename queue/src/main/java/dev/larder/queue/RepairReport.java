package dev.larder.queue;

import java.util.List;

/**
 * What a repair has copied, and what it could not.
 *
 * @param messages the sound ones, which were copied
 * @param bytes of them
 * @param schemas that were copied
 * @param problems what is damaged, each with file and position; empty when all was sound
 */
public record RepairReport(long messages, long bytes, int schemas, List<String> problems) {

    /** Returns whether nothing was damaged. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
