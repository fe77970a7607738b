package dev.larder.log;

import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * The identity and the state of a log.
 *
 * @param directory the directory of its files
 * @param identity a random identifier given at creation
 * @param created the time of its creation
 * @param integrity what protects its payloads
 * @param largestSegmentBytes the size up to which its segments grow
 * @param largestRecordBytes the longest payload
 * @param firstPosition the position of the oldest record
 * @param endPosition the position after every record claimed so far
 * @param durablePosition the position before which every record was synced
 * @param segments the number of segment files
 * @param bytes the size of these files
 */
public record LogInfo(
        Path directory,
        UUID identity,
        Instant created,
        IntegrityMode integrity,
        long largestSegmentBytes,
        long largestRecordBytes,
        long firstPosition,
        long endPosition,
        long durablePosition,
        int segments,
        long bytes) {}
