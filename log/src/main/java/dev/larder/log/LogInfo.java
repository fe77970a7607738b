package dev.larder.log;

import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * What a log is and how it stands.
 *
 * @param directory where its files are
 * @param identity a random name given at creation
 * @param created when
 * @param integrity what protects its payloads
 * @param largestSegmentBytes what segments grow to
 * @param largestRecordBytes the longest payload
 * @param firstPosition where the oldest record begins
 * @param endPosition what comes after every record claimed so far
 * @param durablePosition what lies before it was synced
 * @param segments how many segment files there are
 * @param bytes their size
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
