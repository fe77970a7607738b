package dev.larder.queue;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The progress of a {@link QueueReplication}. The lag is known once the source was connected. While the source is disconnected,
 * messages and bytes are those of its last report, and the time grows.
 *
 * @param connected whether messages can arrive
 * @param copied how many messages were appended since the start
 * @param lagMessages how many messages of the source are not in the copy
 * @param lagBytes the bytes of these messages in the source's log
 * @param lagTime the age of the copy: for so long the source has had more messages. Empty until the copy was complete once
 * @param durablePosition the position in the source of the last message that is durable in the copy
 * @param trouble why there is no connection; empty if there is one
 */
public record ReplicationProgress(
        boolean connected,
        long copied,
        OptionalLong lagMessages,
        OptionalLong lagBytes,
        Optional<Duration> lagTime,
        OptionalLong durablePosition,
        Optional<String> trouble) {}
