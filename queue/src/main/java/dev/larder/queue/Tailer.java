package dev.larder.queue;

import dev.larder.log.Log;
import dev.larder.log.LogReader;
import dev.larder.log.WaitStrategy;
import java.time.Duration;

/**
 * Reads a queue in order; every tailer sees every message. One thread at a time (checked cheaply). Allocates nothing
 * per message.
 *
 * <p>When a handler throws, the tailer stays before that message.
 */
public final class Tailer implements AutoCloseable {

    private final Log log;
    private final LogReader records;

    Tailer(Log log, WaitStrategy strategy) {
        this.log = log;
        this.records = log.reader(strategy);
    }

    /** Hands the next message to a handler; returns false when there is none yet. */
    public boolean poll(MessageHandler handler) {
        return records.drain(handler, 1) == 1;
    }

    /**
     * Hands up to {@code limit} messages to a handler; returns how many.
     *
     * @throws dev.larder.log.FellBehindException when what comes next was dropped; {@link #toStart} goes on after it
     */
    public int drain(MessageHandler handler, int limit) {
        return records.drain(handler, limit);
    }

    /**
     * Hands the next message to a handler, waiting for it as the tailer's {@link WaitStrategy} says: by default asleep,
     * until a writer of any process wakes it. Returns false when the time is over.
     *
     * @throws InterruptedException when the thread is interrupted while it waits; nothing was read
     */
    public boolean poll(MessageHandler handler, Duration timeout) throws InterruptedException {
        return records.poll(handler, timeout);
    }

    /** Goes to the oldest message: also from where it fell behind. */
    public Tailer toStart() {
        records.moveToFirst();
        return this;
    }

    /** Goes behind the newest message. */
    public Tailer toEnd() {
        return moveTo(log.endPosition());
    }

    /**
     * Goes to a position that an append or {@link #position} has returned.
     *
     * @throws dev.larder.log.FellBehindException when it lies in a part of the queue that was dropped
     * @throws dev.larder.log.GoneException when it was cut after a loss of power, or lies beyond the end
     * @throws dev.larder.memory.CorruptException when no message begins there
     */
    public Tailer moveTo(long position) {
        records.moveTo(position);
        return this;
    }

    /** Returns the position of the next message; inside a handler, that of the message being handled. */
    public long position() {
        return records.position();
    }

    /** Closes the tailer; waits for a handler that is running. */
    @Override
    public void close() {
        records.close();
    }
}
