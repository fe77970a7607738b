package dev.larder.queue;

import dev.larder.log.Bookmark;
import dev.larder.log.FellBehindException;
import dev.larder.log.GoneException;
import dev.larder.log.Log;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.log.WaitStrategy;
import java.lang.ref.Reference;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue in order; every tailer sees every message. One thread at a time (checked cheaply). Allocates nothing
 * per message.
 *
 * <p>Close it when it is no longer used: it keeps what it stands before. One that is forgotten is closed some time after it
 * was collected.
 *
 * <p>When a handler throws, the tailer stays before that message.
 *
 * <p>A tailer with a name has a place in the queue that survives ({@link LarderQueue#tailer(String)}): where the next
 * tailer of that name goes on.
 */
public final class Tailer implements AutoCloseable {

    private final Log log;
    private final LogReader records;
    private final @Nullable Bookmark place;
    private long lost = -1;

    Tailer(Log log, WaitStrategy strategy) {
        this.log = log;
        this.records = log.reader(strategy);
        this.place = null;
        log.closeWhenCollected(this, records);
    }

    /** A tailer that goes on where its place is, and takes it over. */
    Tailer(Log log, WaitStrategy strategy, Bookmark place, Commit commit) {
        this.log = log;
        this.records = log.reader(strategy);
        this.place = place;
        if (commit == Commit.WHEN_HANDLED) {
            records.follow(place);
        }
        try {
            goOn(place);
        } catch (RuntimeException | Error e) {
            records.close(); // the log keeps every reader that is not
            throw e;
        }
        log.closeWhenCollected(this, parts(records, place));
    }

    /** Of one that was forgotten: it must not lead to the tailer. */
    private static AutoCloseable parts(LogReader records, Bookmark place) {
        return () -> {
            records.close();
            place.close();
        };
    }

    private void goOn(Bookmark place) {
        try {
            if (place.position() > 0) {
                records.moveTo(place.position());
            }
        } catch (GoneException e) {
            lost = place.position();
        }
    }

    /** Fails once its place is gone: what was dropped before it had read it is for its owner to know. */
    private void checkPlace() {
        if (lost >= 0 && place != null) {
            long first = log.firstPosition();
            throw new FellBehindException(
                    log.directory() + ": tailer \"" + place.name() + "\" stood at " + Position.toString(lost)
                            + ", which is gone; the first message is at " + Position.toString(first),
                    lost,
                    first);
        }
    }

    /** Hands the next message to a handler; returns false when there is none yet. */
    public boolean poll(MessageHandler handler) {
        checkPlace();
        try {
            return records.drain(handler, 1) == 1;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Hands up to {@code limit} messages to a handler; returns how many.
     *
     * @throws FellBehindException when what comes next was dropped; {@link #toStart} goes on after it
     */
    public int drain(MessageHandler handler, int limit) {
        checkPlace();
        try {
            return records.drain(handler, limit);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Hands the message before to a handler, and stands before it; returns false when there is none. A place that has a
     * name does not follow backwards.
     */
    public boolean pollBackward(MessageHandler handler) {
        checkPlace();
        try {
            return records.pollBackward(handler);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Hands up to {@code limit} messages to a handler, the one before first and so on; returns how many. */
    public int drainBackward(MessageHandler handler, int limit) {
        checkPlace();
        try {
            return records.drainBackward(handler, limit);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Hands the next message to a handler, waiting for it as the tailer's {@link WaitStrategy} says: by default asleep,
     * until a writer of any process wakes it. Returns false when the time is over.
     *
     * @throws InterruptedException when the thread is interrupted while it waits; nothing was read
     */
    public boolean poll(MessageHandler handler, Duration timeout) throws InterruptedException {
        checkPlace();
        try {
            return records.poll(handler, timeout);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Goes to the oldest message: also from where it fell behind. */
    public Tailer toStart() {
        records.moveToFirst();
        lost = -1;
        return this;
    }

    /** Goes behind the newest message. */
    public Tailer toEnd() {
        return moveTo(log.endPosition());
    }

    /**
     * Goes to a position that an append or {@link #position} has returned.
     *
     * @throws FellBehindException when it lies in a part of the queue that was dropped
     * @throws GoneException when it was cut after a loss of power, or lies beyond the end
     * @throws dev.larder.memory.CorruptException when no message begins there
     */
    public Tailer moveTo(long position) {
        records.moveTo(position);
        lost = -1;
        return this;
    }

    /**
     * Goes to the message that has so many messages before it since the queue began; one further than the last is where
     * the next one will be.
     *
     * @throws GoneException when it was dropped, or is not there yet
     */
    public Tailer toSequence(long sequence) {
        records.moveToSequence(sequence);
        lost = -1;
        return this;
    }

    /**
     * Goes to where the first message stands that was appended at a time or later. Times are known for each MiB of the
     * queue: no message of that time or later is left out, and up to a MiB of earlier ones may come first.
     */
    public Tailer toTime(Instant time) {
        records.moveToTime(time);
        lost = -1;
        return this;
    }

    /**
     * Returns how many messages were appended before the next one since the queue began; inside a handler, before the one
     * being handled.
     *
     * @throws dev.larder.log.LogBusyException when a live writer has not committed an earlier message for 30 s
     */
    public long sequence() {
        try {
            return records.sequence();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Moves the place of a tailer that has a name to where the tailer stands now.
     *
     * @throws IllegalStateException when it has no name
     */
    public void commit() {
        if (place == null) {
            throw new IllegalStateException(log.directory() + ": a tailer without a name has no place to commit");
        }
        checkPlace();
        place.move(position());
    }

    /** Returns the position of the next message; inside a handler, that of the message being handled. */
    public long position() {
        try {
            return records.position();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Closes the tailer; waits for a handler that is running. Its name, if it has one, is then free. */
    @Override
    public void close() {
        records.close();
        if (place != null) {
            place.close();
        }
    }
}
