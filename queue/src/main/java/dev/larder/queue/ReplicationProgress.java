package dev.larder.queue;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a {@link QueueReplication} is. The lag is known once the source was connected. While it is not, messages and bytes
 * are those at its last word, and the time grows.
 *
 * @param connected whether messages can arrive
 * @param copied how many messages were appended since the start
 * @param lagMessages how many messages of the source are not in the copy
 * @param lagBytes the bytes of the source's log that hold them
 * @param lagTime how old the copy is: since then the source had more. Empty until the copy has been whole once
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
