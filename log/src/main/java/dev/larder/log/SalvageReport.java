package dev.larder.log;

import java.util.List;

/**
 * The result of a salvage.
 *
 * @param records sound records, which were passed to the sink
 * @param bytes of their payloads
 * @param abandoned claims that became padding, or will never be committed
 * @param lost records known to be lost: left out, or missing although a later header counts them. Lost records after
 *     the last sound one of the log are not counted
 * @param lostBytes bytes of the existing files that were left out, with record words
 * @param problems each damaged part with its file and position, and what was left out for it; empty if everything was
 *     sound. If the list was cut, the last text says how many more there were
 */
public record SalvageReport(
        long records, long bytes, long abandoned, long lost, long lostBytes, List<String> problems) {

    /** Returns whether every record was sound, as far as the files tell. */
    public boolean isSound() {
        return problems.isEmpty();
    }
}
