package dev.larder.queue;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogInfo;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What a queue is and how it stands.
 *
 * @param directory where its files are
 * @param identity a random name given at creation
 * @param created when
 * @param integrity what protects its messages
 * @param largestSegmentBytes what segments grow to
 * @param largestRecordBytes the longest message
 * @param firstPosition where the oldest message begins
 * @param endPosition what comes after every message claimed so far
 * @param durablePosition what lies before it was synced
 * @param segments how many segment files there are
 * @param bytes their size
 * @param messages how many messages can be read, up to the first that is still being written; empty where damage hides it
 */
public record QueueInfo(
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
        long bytes,
        OptionalLong messages) {

    static QueueInfo of(LogInfo log, OptionalLong messages) {
        return new QueueInfo(
                log.directory(),
                log.identity(),
                log.created(),
                log.integrity(),
                log.largestSegmentBytes(),
                log.largestRecordBytes(),
                log.firstPosition(),
                log.endPosition(),
                log.durablePosition(),
                log.segments(),
                log.bytes(),
                messages);
    }
}
