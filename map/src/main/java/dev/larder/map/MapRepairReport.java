package dev.larder.map;

import java.util.List;

/**
 * What a repair has copied, and what it could not.
 *
 * @param records the sound ones, from which the new map was made
 * @param entries that the new map has
 * @param problems what is damaged, each with file and position; empty when all was sound
 */
public record MapRepairReport(long records, long entries, List<String> problems) {

    /** Returns whether nothing was damaged. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
