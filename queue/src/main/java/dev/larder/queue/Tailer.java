package dev.larder.queue;

import dev.larder.log.Bookmark;
import dev.larder.log.FellBehindException;
import dev.larder.log.GoneException;
import dev.larder.log.Log;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.log.WaitStrategy;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tailer reads the messages of a queue in order. Every tailer sees every message. It allocates nothing per message.
 * One thread at a time may use it; a cheap check enforces that.
 *
 * <p>If a handler throws, the tailer stays before that message.
 *
 * <p>A tailer prevents the reuse of the files from its position on, so close a tailer that is no longer used. An unclosed
 * tailer is closed some time after it was garbage collected.
 *
 * <p>A tailer of a queue that is open read-only gets a {@link dev.larder.log.LogFailedException} if the files were removed or
 * replaced, after the messages that were there.
 *
 * <p>A named tailer ({@link LarderQueue#tailer(String)}) has a stored position that survives the process. The next
 * tailer of that name starts there.
 */
public final class Tailer implements AutoCloseable {

    private final Log log;
    private final LogReader records;
    private final @Nullable Bookmark place;

    /** The bookmark with the stored position, if it moves by itself. */
    private final @Nullable Bookmark follower;

    private long lost = -1;

    /** The tailer's position after the last message that was taken but not yet counted as handled; -1 if there is none. */
    private long takenUpTo = -1;

    Tailer(Log log, WaitStrategy strategy) {
        this.log = log;
        this.records = log.reader(strategy);
        this.place = null;
        this.follower = null;
        log.closeWhenCollected(this, records);
    }

    /** Makes a named tailer that starts at its stored position, and takes the bookmark over. */
    Tailer(Log log, WaitStrategy strategy, Bookmark place, Commit commit) {
        this.log = log;
        this.records = log.reader(strategy);
        this.place = place;
        this.follower = commit == Commit.WHEN_HANDLED ? place : null;
        follow();
        try {
            goOn(place);
        } catch (RuntimeException | Error e) {
            records.close(); // the log keeps every unclosed reader
            throw e;
        }
        log.closeWhenCollected(this, parts(records, place));
    }

    /** Returns the parts to close after the tailer was collected; they must not refer to the tailer. */
    private static AutoCloseable parts(LogReader records, Bookmark place) {
        return () -> {
            records.close();
            place.close();
        };
    }

    private void follow() {
        if (follower != null) {
            records.follow(follower);
        }
    }

    private void goOn(Bookmark place) {
        try {
            if (place.position() > 0) {
                records.moveTo(place.position());
            }
        } catch (GoneException e) {
            lost = place.position();
        } catch (IllegalArgumentException e) {
            if (place.position() <= log.endPosition()) {
                throw e;
            }
            lost = place.position(); // its message was cut from the end after a power loss
        }
    }

    /**
     * Throws if the stored position was dropped. The owner has to learn that messages were dropped before it read them.
     */
    private void checkPlace() {
        if (lost >= 0 && place != null) {
            long first = log.firstPosition();
            throw new FellBehindException(
                    log.directory() + ": tailer \"" + place.name() + "\" stood at position " + Position.toString(lost)
                            + ", which was dropped; the first message is at " + Position.toString(first),
                    lost,
                    first);
        }
    }

    /**
     * Passes the next message to a handler; returns false if there is none yet.
     *
     * @throws FellBehindException if the next message was dropped; {@link #toStart} continues at the oldest message
     */
    public boolean poll(MessageHandler handler) {
        checkPlace();
        try {
            return records.drain(handler, 1) == 1;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Passes up to {@code limit} messages to a handler; returns how many.
     *
     * @throws FellBehindException if the next message was dropped; {@link #toStart} continues at the oldest message
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
     * Passes the previous message to a handler, and moves before it; returns false if there is none. The stored position of a
     * named tailer does not follow backward.
     */
    public boolean pollBackward(MessageHandler handler) {
        checkPlace();
        try {
            return records.pollBackward(handler);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Passes up to {@code limit} messages to a handler, backward from the previous one; returns how many. */
    public int drainBackward(MessageHandler handler, int limit) {
        checkPlace();
        try {
            return records.drainBackward(handler, limit);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Passes the next message to a handler, and waits for it up to {@code timeout} by the tailer's
     * {@link WaitStrategy}. By default it sleeps until a writer of any process wakes it. Returns false if the time is
     * over.
     *
     * @throws InterruptedException if the thread is interrupted while it waits; nothing was read
     * @throws FellBehindException if the next message was dropped; {@link #toStart} continues at the oldest message
     */
    public boolean poll(MessageHandler handler, Duration timeout) throws InterruptedException {
        checkPlace();
        try {
            return records.poll(handler, timeout);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Hands out the next message, to be handled after this call. It counts as handled at the next {@link #settle}. If the
     * stored position moved now, a crash would skip the message.
     */
    boolean take(MessageHandler handler) {
        settle();
        checkPlace();
        records.unfollow();
        try {
            boolean taken = records.drain(handler, 1) == 1;
            takenUpTo = taken ? records.position() : -1;
            return taken;
        } finally {
            follow();
            Reference.reachabilityFence(this);
        }
    }

    /** Returns whether the next message comes before a position. The message that was taken last counts as handled now. */
    boolean hasNextBefore(long end) {
        settle();
        checkPlace();
        try {
            return records.hasNext() && records.position() < end;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Counts the message that was taken last as handled, unless the tailer was moved since. */
    void settle() {
        if (takenUpTo >= 0) {
            long upTo = takenUpTo;
            takenUpTo = -1;
            if (follower != null && records.position() == upTo) {
                follower.move(upTo);
            }
        }
    }

    /** Throws if this is the tailer of a queue in another directory. */
    void requireOf(Path directory) {
        if (!log.directory().equals(directory)) {
            throw new IllegalArgumentException("the tailer is of queue " + log.directory() + ", not of " + directory);
        }
    }

    /** Returns the position that comes after every message that any process has claimed so far. */
    long endPosition() {
        return log.endPosition();
    }

    /** Returns how many messages any process has committed since the queue began. */
    long committedMessages() {
        return log.committedRecords();
    }

    /** Returns the bytes of the log from the next message to the end. */
    long bytesToEnd() {
        long from = position();
        return log.bytesBetween(from, Math.max(from, log.endPosition()));
    }

    /** Stores a position under the tailer's name. The tailer itself stays where it is. */
    void commitAt(long position) {
        if (place != null) {
            place.move(position);
        }
    }

    /** Moves to the oldest message. A tailer that fell behind continues from there. */
    public Tailer toStart() {
        records.moveToFirst();
        lost = -1;
        return this;
    }

    /** Moves to the end, after the newest message. */
    public Tailer toEnd() {
        return moveTo(log.endPosition());
    }

    /**
     * Moves to a position that an append or {@link #position} returned.
     *
     * @throws FellBehindException if the position lies in a part of the queue that was dropped
     * @throws GoneException if the message was cut after a power loss
     * @throws IllegalArgumentException if no message begins there; the text names the range of positions
     * @throws dev.larder.memory.CorruptException if the message there is damaged
     */
    public Tailer moveTo(long position) {
        records.moveTo(position);
        lost = -1;
        return this;
    }

    /**
     * Moves to the message before which {@code sequence} messages were appended since the queue began. A sequence equal to the
     * number of all messages moves to where the next one will be.
     *
     * @throws GoneException if the message was dropped
     * @throws IllegalArgumentException if the message does not exist yet; the text names the range of sequences
     */
    public Tailer toSequence(long sequence) {
        records.moveToSequence(sequence);
        lost = -1;
        return this;
    }

    /**
     * Moves to the first message that was appended at a time or later. Times are known for each MiB of the queue. So the tailer
     * skips no message of that time or later, but may be up to 1 MiB before the first one.
     */
    public Tailer toTime(Instant time) {
        records.moveToTime(time);
        lost = -1;
        return this;
    }

    /**
     * Returns how many messages were appended before the next one since the queue began; inside a handler, before the
     * message being handled.
     *
     * @throws dev.larder.log.LogBusyException if a live writer has not committed an earlier message for 30 s
     */
    public long sequence() {
        try {
            return records.sequence();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Stores the tailer's current position as the stored position of its name.
     *
     * @throws IllegalStateException if the tailer has no name
     */
    public void commit() {
        if (place == null) {
            throw new IllegalStateException(log.directory() + ": a tailer without a name cannot commit a position");
        }
        checkPlace();
        place.move(position());
    }

    /** Returns the position of the next message; inside a handler, of the message being handled. */
    public long position() {
        try {
            return records.position();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Closes the tailer; waits for a running handler. Another process can then take its name. */
    @Override
    public void close() {
        records.close();
        if (place != null) {
            place.close();
        }
    }
}
