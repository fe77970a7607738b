package dev.larder.map;

import java.util.Optional;

/**
 * What a map takes on the disk, and what its cleaner has done since it was opened.
 *
 * @param liveBytes what the records of its entries take; of those that have expired, as far as the cleaner has seen, none. After a crash it may count what was put while the last image was
 *     made twice, until the cleaner has gone through the log once
 * @param deadBytes what else of the files is used: records that were overwritten or removed, or have expired, removals, padding, headers
 * @param fileBytes what the segments take, from the first to the tail, and those that were dropped while a reader was inside
 * @param cleanedBytes the size of the segments that were dropped
 * @param carriedBytes what was alive in them, and was written again
 * @param writeAmplification how many bytes were written to the log for one that a caller wrote; 1 before the first
 * @param evicted how many entries went because there was no room for all
 * @param expired how many entries were found by the cleaner whose lifetime had ended
 * @param failure why the cleaner could not go on, the last time it tried
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
