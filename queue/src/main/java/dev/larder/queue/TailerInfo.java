package dev.larder.queue;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a named tailer, which any process can read.
 *
 * @param name its name
 * @param position the position of its next message
 * @param sequence how many messages of the queue come before that message; empty if damage hides it
 * @param lagMessages how many messages it has not processed yet; empty if damage hides it
 * @param lagBytes the bytes of the queue that these messages take
 * @param processId the process that has the tailer; empty if none has
 * @param since the time at which that process took it
 * @param absentSince the time since which no process has it, as far as any process has noticed
 */
public record TailerInfo(
        String name,
        long position,
        OptionalLong sequence,
        OptionalLong lagMessages,
        long lagBytes,
        Optional<Long> processId,
        Optional<Instant> since,
        Optional<Instant> absentSince) {}
