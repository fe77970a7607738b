package dev.larder.log;

import java.util.List;

/**
 * What a salvage found.
 *
 * @param records the sound ones, which were handed on
 * @param bytes their payload
 * @param abandoned claims that became padding, or never will
 * @param problems what is damaged, each with file and position, and what was left out for it; empty when all is sound
 */
public record SalvageReport(long records, long bytes, long abandoned, List<String> problems) {}
