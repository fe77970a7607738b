package dev.larder.map;

import java.util.Optional;

/**
 * The space of a map on the disk, and the work of its cleaner since the map was opened.
 *
 * @param liveBytes bytes of the records of its entries, without expired ones that the cleaner has seen. After a crash,
 *     puts during the last checkpoint may count twice, until the cleaner has passed over the log
 * @param deadBytes the other used bytes of the files: overwritten, removed and expired records, removals, padding,
 *     headers
 * @param fileBytes the size of the segments from the first to the tail, and of dropped segments that a reader still
 *     used
 * @param cleanedBytes the size of the segments that were dropped
 * @param carriedBytes bytes of live records that were moved out of those segments
 * @param writeAmplification bytes written to the log for each byte that a caller wrote; 1 before the first
 * @param evicted entries that were evicted
 * @param expired expired entries that the cleaner found
 * @param failure why the cleaner failed the last time it tried; empty if it did not fail
 */
public record MapSpace(
        long liveBytes,
        long deadBytes,
        long fileBytes,
        long cleanedBytes,
        long carriedBytes,
        double writeAmplification,
        long evicted,
        long expired,
        Optional<String> failure) {}
