package dev.larder.queue;

import java.time.Instant;
import java.util.Optional;

/**
 * A named tailer, as anybody may see it.
 *
 * @param name what it is called
 * @param position the position of its next message
 * @param sequence how many messages of the queue come before that
 * @param lagMessages how many messages it has not processed yet
 * @param lagBytes how many bytes of the queue they take
 * @param processId the process that has it; empty when none has
 * @param since when that process took it
 * @param absentSince since when no process has it, as far as anybody has noticed
 */
public record TailerInfo(
        String name,
        long position,
        long sequence,
        long lagMessages,
        long lagBytes,
        Optional<Long> processId,
        Optional<Instant> since,
        Optional<Instant> absentSince) {}
