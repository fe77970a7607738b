package dev.larder.map;

import dev.larder.log.VerifyReport;
import java.util.List;

/**
 * The result of a verification of a map.
 *
 * @param entries entries of the last checkpoint; 0 if there is none
 * @param removals removals that the checkpoint remembers
 * @param liveBytes bytes of the records of its entries, with words and padding
 * @param comparedRecords records of the log that were compared with the checkpoint
 * @param checkpointPosition the position from which the log is read in addition to the checkpoint
 * @param log the result of the verification of the log
 * @param problems each damaged part, in the log or beside it, with its file and position; empty if everything is sound
 */
public record MapVerifyReport(
        long entries,
        long removals,
        long liveBytes,
        long comparedRecords,
        long checkpointPosition,
        VerifyReport log,
        List<String> problems) {

    /** Returns whether nothing is damaged. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
