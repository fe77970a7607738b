package dev.larder.queue;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogInfo;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The properties and the current state of a queue.
 *
 * @param directory the directory of its files
 * @param identity the random identifier given at creation
 * @param created when it was created
 * @param integrity how its messages are protected
 * @param largestSegmentBytes the size to which segments grow
 * @param largestRecordBytes the length of the longest possible message
 * @param firstPosition where the oldest message begins
 * @param endPosition the position after every message claimed so far
 * @param durablePosition the position up to which messages were synced
 * @param segments how many segment files there are
 * @param bytes their total size
 * @param messages how many messages can be read, up to the first one that is still being written; empty if damage hides the
 * number
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
