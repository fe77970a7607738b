package dev.larder.log;

import java.util.List;

/**
 * What a salvage found.
 *
 * @param records the sound ones, which were handed on
 * @param bytes their payload
 * @param abandoned claims that became padding, or never will
 * @param lost records that are known to be lost: left out, or counted by a header behind them and not there. Nothing counts
 *     those that stood behind the last sound record of the log
 * @param lostBytes how many bytes were left out of the files that are there, words included
 * @param problems what is damaged, each with file and position, and what was left out for it; empty when all is sound. The
 *     last text says how many more there were, where the list was cut
 */
public record SalvageReport(
        long records, long bytes, long abandoned, long lost, long lostBytes, List<String> problems) {}
