package dev.larder.map;

import dev.larder.log.VerifyReport;
import java.util.List;

/**
 * What a verification of a map found.
 *
 * @param entries how many entries the last checkpoint holds; 0 where there is none
 * @param removals how many removals it remembers
 * @param liveBytes the records of its entries, their words and padding included
 * @param comparedRecords how many records of the log were held against the checkpoint
 * @param checkpointPosition from where the log is to be read in addition to the checkpoint
 * @param log what was found in the log
 * @param problems what is damaged, in the log or beside it, each with file and position; empty when all is sound
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
