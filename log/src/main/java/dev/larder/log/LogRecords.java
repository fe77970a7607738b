package dev.larder.log;

import dev.larder.log.Pins.Lane;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The records of a log by their positions: for structures that keep positions, and link a record before it is committed.
 *
 * <pre>
 * claim          fill              link, elsewhere        commit
 * RESERVED  ->   bytes(position)   ->                ->   COMMITTED       by its owner, or whoever uses it first
 *                                  lost: abandon     ->   PADDING
 * </pre>
 *
 * <p>A claim holds up readers and syncs until it is committed or abandoned: nothing that waits may come between. Segments
 * stay mapped from the first look at one of their records until this is closed; so the bytes of a record may be looked at
 * until then. Thread-safe; allocates nothing per record.
 */
public final class LogRecords implements AutoCloseable {

    private static final int APPENDERS_MAX = 32;

    private final LogSession session;
    private final LogAppender[] appenders;
    private final int first;
    private final Lane pin = new Lane();
    private volatile @Nullable HeldSegment[] held = new HeldSegment[64]; // none: closed

    LogRecords(LogSession session) {
        this.session = session;
        Segment oldest = session.segments.enterFirst(pin);
        this.first = oldest.number;
        this.appenders = appenders(session);
        session.segments.release(oldest);
    }

    private static LogAppender[] appenders(LogSession session) {
        int processors = Math.min(Runtime.getRuntime().availableProcessors(), APPENDERS_MAX / 2);
        LogAppender[] all = new LogAppender[Integer.highestOneBit(processors) * 2];
        Arrays.setAll(all, i -> session.appender());
        return all;
    }

    /** Returns the offset of a record's payload within {@link #bytes}. */
    public static long payload(long position) {
        return Position.offset(position) + RecordWord.BYTES;
    }

    /** Returns the longest payload of a record. */
    public long lengthMax() {
        return session.recordMaxBytes();
    }

    /** Returns the log's first segment at the time when this was opened: all positions lie in it or above. */
    public int firstSegment() {
        return first;
    }

    /**
     * Claims a record and returns its position. The claim must be committed, or abandoned, by its owner.
     *
     * @throws RecordTooLargeException when a record may not be so long; nothing was claimed
     * @throws dev.larder.memory.DiskFullException when the next segment finds no room; nothing was claimed
     */
    public long claim(long length) {
        LogAppender appender = enterAny();
        try {
            return appender.claimOpen(length);
        } catch (InternalError e) {
            throw session.failure.storeFailed(e);
        } finally {
            appender.leave();
        }
    }

    /** Threads that claim at once get an appender each, as far as there are any. */
    private LogAppender enterAny() {
        int own = (int) Thread.currentThread().threadId();
        for (int i = 0; i < appenders.length; i++) {
            LogAppender appender = appenders[(own + i) & (appenders.length - 1)];
            if (appender.tryEnter()) {
                return appender;
            }
        }
        LogAppender appender = appenders[own & (appenders.length - 1)];
        appender.enter();
        return appender;
    }

    /** Returns the mapped file that a claim lies in, to be filled from {@link #payload} on. */
    public MemorySegment claimed(long position) {
        return held(position).segment.memory;
    }

    /** Commits a claim of this process that has been filled; where another thread has, it is done. */
    public void commit(long position) {
        HeldSegment there = held(position);
        long word = there.commit(position);
        if (RecordWord.state(word) != RecordWord.COMMITTED) {
            throw session.judgedDead(there.segment, Position.offset(position));
        }
        session.wake.committed();
        session.maintenance().appended();
        session.appended(position);
    }

    /** Turns a claim of this process that was not linked into padding. */
    public void abandon(long position) {
        held(position).abandon(position);
        session.wake.committed();
    }

    /** Returns the segment that a record lies in, read-only: its payload begins at {@link #payload}. */
    public MemorySegment bytes(long position) {
        return held(position).segment.view;
    }

    /**
     * Returns the length of the payload of a record that is linked somewhere; commits it, if its owner has not come to that.
     *
     * @throws CorruptException when there is no such record, or it was read from the disk and is not what was written
     */
    public int length(long position) {
        HeldSegment there = held(position);
        int length = there.length(position);
        if (length < 0) {
            session.wake.committed();
            length = there.length(position);
        }
        return length;
    }

    /**
     * Fails the log after an access to mapped memory that the system could not serve; returns the error to be thrown. Whoever
     * has filled or read a record asks for it: {@link dev.larder.memory.AccessErrors#deliver}.
     */
    public LogFailedException accessFailed(InternalError error) {
        return session.failure.storeFailed(error);
    }

    private HeldSegment held(long position) {
        @Nullable HeldSegment[] known = held;
        int index = Position.segment(position) - first;
        HeldSegment there = index >= 0 && index < known.length ? known[index] : null;
        return there == null ? hold(position) : there;
    }

    private synchronized HeldSegment hold(long position) {
        int index = Position.segment(position) - first;
        HeldSegment there = index >= 0 && index < held.length ? held[index] : null;
        if (there != null) {
            return there;
        }
        if (held.length == 0) {
            throw new ClosedException(this + " were closed");
        }
        Lane lane = new Lane();
        Segment segment =
                session.segments.enter(lane, Position.segment(position)).orElseThrow(() -> session.gone(position));
        HeldSegment made = new HeldSegment(session, segment, lane);
        @Nullable
        HeldSegment[] grown = Arrays.copyOf(held, Math.max(held.length, Integer.highestOneBit(index + 1) * 2));
        grown[index] = made;
        held = grown;
        return made;
    }

    /** Closes the appenders and lets go of the segments; nobody may look at records then. */
    @Override
    public synchronized void close() {
        for (LogAppender appender : appenders) {
            appender.close();
        }
        for (HeldSegment there : held) {
            if (there != null) {
                session.segments.leave(there.lane, there.segment);
            }
        }
        held = new HeldSegment[0];
        session.segments.leavePin(pin);
    }

    @Override
    public String toString() {
        return "records of " + session.directory;
    }
}
