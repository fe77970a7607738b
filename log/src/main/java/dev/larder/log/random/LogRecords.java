package dev.larder.log.random;

import dev.larder.log.GoneException;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogMismatchException;
import dev.larder.log.Position;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.RecordTooLargeException;
import dev.larder.log.append.BatchAppender;
import dev.larder.log.append.RecordAppender;
import dev.larder.log.background.Maintenance;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.layer.LogHooks;
import dev.larder.log.layer.MissingPages;
import dev.larder.log.layer.OpenClaim;
import dev.larder.log.retain.RetainedBytes;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.shared.Wake;
import dev.larder.log.write.Writer;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The records of a log by their positions, for structures that keep positions and link a record before it is committed.
 *
 * <pre>
 * claim          fill              link, elsewhere        commit
 * RESERVED  ->   bytes(position)   ->                ->   COMMITTED       by its owner, or by the thread that uses it first
 *                                  lost: abandon     ->   PADDING
 * </pre>
 *
 * <p>A claim holds up readers and syncs until it is committed or abandoned. So its owner must not wait for anything in
 * between.
 *
 * <p>Segments stay mapped from the first read of one of their records until they are released, or this is closed. The
 * structure that keeps the positions decides when the oldest segment goes:
 *
 * <pre>
 * checked          dropFirst                              leaveBefore                    free
 * copy what is  -> no longer in the log, durably       -> unmapped, in this process   -> its file used again,
 * linked, sync     a late reader still finds its bytes    an IllegalStateException       or deleted
 * </pre>
 *
 * So a thread that reads records unannounced finds them as they were, or gets an error; it never finds other bytes. No file
 * is used again before every process has unmapped it. Thread-safe; allocates nothing per record.
 */
@SuppressWarnings("ReferenceEquality") // a call of equals might not fit on the stack
public final class LogRecords implements AutoCloseable {

    private static final int APPENDERS_MAX = 32;

    private final LogSession session;
    private final RecordAppender[] appenders;
    private final RetainedBytes retained;
    private final Wake wake;
    private final @Nullable Maintenance maintenance; // null where the log was opened read-only
    private final MissingPages missing = new MissingPages(this::forgetPages);
    private final RecentPages recent = new RecentPages(System::nanoTime);
    private volatile HeldSegments held = HeldSegments.NONE;
    private boolean closed;

    /**
     * Returns the records of a log by their positions, for a structure that keeps positions and decides what is dropped. A
     * segment in which it has read a record is not used again before the structure releases it.
     *
     * @throws ReadOnlyException when the log was opened read-only
     * @throws LogMismatchException when the log is a map's, and was not opened as such: {@link LogHooks#linked}
     */
    public static LogRecords of(Log log) {
        LogSession session = OpenSession.of(log);
        session.writing();
        if (session.control.isLinked() && !HookedOptions.of(session.options).linked()) {
            throw new LogMismatchException(
                    session.directory + ": the log belongs to a map, and only the map links its records");
        }
        return new LogRecords(session);
    }

    /**
     * Returns the records of a log that was opened read-only, for reading alone. As long as the log is open, no file of a
     * dropped segment is used again. So read records do not change until this is closed. A segment is gone if it was dropped
     * before anything in it was read.
     *
     * @throws dev.larder.log.LogBusyException when a process that drops segments is stopped
     */
    public static LogRecords reading(Log log) {
        LogSession session = OpenSession.of(log);
        session.view().keepFiles();
        return new LogRecords(session);
    }

    LogRecords(LogSession session) {
        this.session = session;
        this.retained = new RetainedBytes(session.segments);
        this.wake = session.wake;
        this.maintenance = session.isReadOnly() ? null : session.maintenance();
        this.appenders = appenders(session);
    }

    private static RecordAppender[] appenders(LogSession session) {
        if (session.isReadOnly()) {
            return new RecordAppender[0];
        }
        int processors = Math.min(Runtime.getRuntime().availableProcessors(), APPENDERS_MAX / 2);
        RecordAppender[] all = new RecordAppender[Integer.highestOneBit(processors) * 2];
        int made = 0;
        try {
            while (made < all.length) {
                all[made++] = RecordAppender.open(session);
            }
            return all;
        } catch (RuntimeException | Error e) {
            Arrays.stream(all).limit(made - 1).forEach(RecordAppender::close);
            throw e;
        }
    }

    /** Returns whether pages of the log were missing lately; if so, the page of a record may be missing, too. */
    public boolean arePagesMissing() {
        return missing.isAlert();
    }

    /** Returns the offset of a record's payload within {@link #bytes}. */
    public static long payload(long position) {
        return Position.offset(position) + RecordWord.BYTES;
    }

    /** Returns the log's directory. */
    public Path directory() {
        return session.directory;
    }

    /** Returns the longest payload of a record. */
    public long lengthMax() {
        return session.recordMaxBytes();
    }

    /** Returns how many bytes of the log a record takes, from the length of its payload. */
    public static long sizeBytes(long length) {
        return RecordWord.sizeBytes(length);
    }

    /** Returns the log's first segment: all positions lie in it or above. */
    public int firstSegment() {
        return session.control.firstVolatile();
    }

    /** Returns {@link #firstSegment}, in no order with other loads. */
    public int firstSegmentOpaque() {
        return session.control.firstOpaque();
    }

    /**
     * Returns the address of the word whose low half is {@link #firstSegment}, for callers that load by address. Returns 0
     * where the log's files do not stay mapped for ever.
     */
    public long firstSegmentAddress() {
        return session.control.isKept() ? session.control.firstAddress() : 0;
    }

    /** Returns the segment in which claims are made; every earlier one has ended. */
    public int tailSegment() {
        return session.control.tailAcquire();
    }

    /** Returns how many bytes the files of the segments take from the first to the tail. */
    public long fileBytes() {
        return retained.upTo(firstSegment(), tailSegment());
    }

    /** Returns how many of {@link #fileBytes} are used; the bytes behind the end of the tail are not. */
    public long usedBytes() {
        long end = session.endPosition();
        long unused = unusedBehind(end);
        while (unused < 0) {
            end = session.endPosition();
            unused = unusedBehind(end);
        }
        return retained.upTo(firstSegment(), Position.segment(end)) - unused;
    }

    /** Returns -1 where the segment of the given end position was dropped because the log has grown since. */
    private long unusedBehind(long end) {
        try {
            return held(end).segment.limit - Position.offset(end);
        } catch (GoneException e) {
            if (Position.segment(end) >= firstSegment()) {
                throw e;
            }
            return -1;
        }
    }

    /** Returns how many bytes lie between a position and the end, without those that were dropped. */
    public long bytesFrom(long position) {
        long end = session.endPosition();
        int first = firstSegment();
        int from = Math.max(Position.segment(position), first);
        long before = from == Position.segment(position) ? Position.offset(position) : 0;
        long ended = retained.within(from, Position.segment(end) - 1, first);
        return Math.max(0, ended + Position.offset(end) - before);
    }

    /** Returns how many bytes may still be written to the file system; the greatest value where that is unknown. */
    public long usableBytes() {
        return session.storage.usableBytes(session.directory);
    }

    /**
     * Requests another size for the segments that are made from now on: a power of two, from 2 MiB to the log's largest.
     * They still grow by doubling only.
     */
    public void segmentBytes(long wanted) {
        session.segments.making().wish(wanted);
    }

    /** Returns the size of a segment's file; 0 when there is none. */
    public long fileBytes(int segment) {
        return session.segments.files().sizeBytes(segment);
    }

    /**
     * Returns the committed records of a segment that has ended and lies below the durable position. The caller must close
     * them.
     *
     * @throws GoneException when it was dropped
     */
    public CheckedRecords checked(int segment) {
        assert segment < Position.segment(session.durablePosition()) : segment;
        return new CheckedRecords(held(Position.of(segment, 0)), storage(), integrity());
    }

    /**
     * Drops the first segment, which has ended. When this returns true, the drop is durable. The bytes stay where they are
     * until {@link #leaveBefore}. Returns false where a bookmark stands in the segment, or below it.
     */
    public boolean dropFirst(int segment) {
        session.failure.check();
        return session.writing().dropping().dropFirst(segment);
    }

    /**
     * Unmaps the segments before the given one, which any process may have dropped; this process no longer relies on their
     * records.
     */
    public void leaveBefore(int first) {
        assert first <= firstSegment() : first;
        release(first);
        session.traffic.writers().forEach(Writer::follow); // a writer that idles there would keep the file
        session.wakeBackground();
        session.segments.mapped().unmapDropped();
    }

    private synchronized void release(int first) {
        held.forEach(there -> {
            if (there.segment.number < first) {
                held = held.without(there);
                letGo(there);
            }
        });
    }

    private void letGo(HeldSegment there) {
        there.heads().close();
        session.segments.leave(there.lane, there.segment);
    }

    /** Returns whether another live process may have a dropped segment mapped. */
    public boolean isHeldByOthers(int segment) {
        return session.writing().dropping().isHeldByOthers(segment);
    }

    /**
     * Releases the file of a segment that this process has dropped and unmapped, to be used again. Deletes the file where
     * another process still has it mapped.
     */
    public void free(int segment) {
        session.writing().dropping().freeDropped(segment);
    }

    /** Waits until the freed files are deleted that are not kept to be used again. */
    public void awaitFreed() {
        session.segments.making().finishRemovals();
    }

    /** Deletes the files left behind by a process that died while it dropped a segment. */
    public void sweep() {
        session.writing().dropping().sweep();
    }

    /**
     * Returns the identity of this process among those that have the log open: its slot in 16 bits, then the low 16 of its
     * generation.
     */
    public int owner() {
        return session.owner;
    }

    /**
     * Returns whether a process, by its {@link #owner}, may be alive. A process that was found dead stays so, and none of
     * its stores is still to come.
     */
    public boolean isAlive(int owner) {
        boolean same = (session.control.generationAcquire(owner >>> 16) & 0xFFFF) == (owner & 0xFFFF);
        return owner == session.owner || (same && session.writing().locks().isHeld(LockFile.live(owner >>> 16)));
    }

    /**
     * Claims a record and returns its position. The open claim names that position until its user marks it as settled. The
     * owner must commit or abandon the claim.
     *
     * @throws RecordTooLargeException when the length is more than a record's longest; nothing was claimed
     * @throws IllegalArgumentException when the length is negative; nothing was claimed
     * @throws dev.larder.memory.DiskFullException when the next segment finds no room on the disk; nothing was claimed
     */
    public long claim(long length, OpenClaim claim) {
        if (!claim.known) {
            session.leftClaims().know(claim);
        }
        Thread self = Thread.currentThread();
        RecordAppender appender = enterAny();
        try {
            claim.hold(appender.claimOpen(length), self);
            appender.handOver();
            appender.leave();
        } catch (Throwable e) {
            try {
                throw appender.gaveUp(e);
            } finally {
                if (appender.owner == self) {
                    appender.owner = null;
                }
            }
        }
        return claim.position();
    }

    /** Settles the record that an open claim names, which an error of the JVM has left behind. For its owner. */
    public void settle(OpenClaim claim) {
        long position = claim.position();
        Segment segment = held(position).segment;
        long word = segment.wordAcquire(Position.offset(position));
        if (RecordWord.state(word) == RecordWord.RESERVED && RecordWord.owner(word) == session.owner) {
            session.writing().claims().settle(segment, Position.offset(position), word);
            session.wake.committed();
        }
        claim.settled();
    }

    /** Gives threads that claim at the same time an appender each, as far as there are enough. */
    private RecordAppender enterAny() {
        int own = (int) Thread.currentThread().threadId();
        for (int i = 0; i < appenders.length; i++) {
            RecordAppender appender = appenders[(own + i) & (appenders.length - 1)];
            if (appender.tryEnter()) {
                return appender;
            }
        }
        RecordAppender appender = appenders[own & (appenders.length - 1)];
        appender.enter();
        return appender;
    }

    /**
     * Returns a stage for many records that are claimed, written and committed at once, and linked afterwards. Until the
     * last one is linked the segment must not be dropped: a thread that drops it must wait for the caller. To be closed
     * before this is.
     */
    public BatchAppender batch() {
        int own = (int) Thread.currentThread().threadId();
        return new BatchAppender(appenders[own & (appenders.length - 1)], session);
    }

    /**
     * Returns whether a claim of this process is the first of its segment. If so, its claimer is the one that filled the
     * segment before.
     */
    public boolean isFirst(long position) {
        return Position.offset(position) == held(position).segment.head;
    }

    /** Returns the mapped file that a claim lies in; the caller fills it from {@link #payload} on. */
    public MemorySegment claimed(long position) {
        return held(position).segment.memory;
    }

    /**
     * Commits a claim of this process that has been filled; does nothing where another thread has committed it. A caller must
     * {@linkplain #acknowledge acknowledge} the record before it reports the record to others. It must not do so while it has
     * another claim: the acknowledgement would wait for that claim.
     */
    public void commit(long position) {
        HeldSegment there = held(position);
        committed(position, there, there.commit(position));
    }

    /**
     * Commits the claim as {@link #commit(long)} does, for a thread's open claim, which lies in a segment that the thread
     * has looked up already.
     */
    public void commit(OpenClaim claim, HeldSegment there) {
        committed(claim.position(), there, there.commit(claim));
    }

    private void committed(long position, HeldSegment there, long word) {
        if (RecordWord.state(word) != RecordWord.COMMITTED) {
            throw session.judgedDead(there.segment, Position.offset(position));
        }
        there.stored(position, word);
        wake.committed();
        Objects.requireNonNull(maintenance).appended();
    }

    /**
     * Does what the log's policy requires before an append returns: makes the record and all before it durable, or does
     * nothing.
     */
    public void acknowledge(long position) {
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

    /** Returns the length of the payload of a record that is linked somewhere, as {@link HeldSegment#length} does. */
    public int length(long position) {
        return held(position).length(position);
    }

    /** Returns the same, for a caller that is about to read all of a record: {@link HeldSegment#length(long, int)}. */
    public int length(long position, int expected) {
        return held(position).length(position, expected);
    }

    /** Returns the error for a record whose payload is not what its writer stored: {@link HeldSegment#damaged}. */
    public CorruptException damaged(long position, String what) {
        return held(position).damaged(position, what);
    }

    /** Returns a segment in which a thread has read a record; null where none has, or there is no such segment. */
    public @Nullable HeldSegment ifHeld(int number) {
        return held.get(number);
    }

    /** Returns the segment that a position lies in, which gives a record's length and its bytes. */
    public HeldSegment at(long position) {
        return held(position);
    }

    /**
     * Loads a word of each line of a record, or has the system begin to read the lines that are not in memory. For a caller
     * that is about to read many records, so that cache misses and reads overlap. The position may lead nowhere. Returns a
     * number that the caller must store somewhere, or the compiler leaves the loads out.
     *
     * @param expected about how long the record is; at least its first two lines are loaded
     */
    public long touch(long position, int expected) {
        HeldSegment there = held.get(Position.segment(position));
        return there == null ? 0 : there.touch(Position.offset(position), expected);
    }

    /**
     * Returns the error to throw in place of one that came while a record was filled and the caller's code was called. The
     * log fails where its own pages cannot be stored to; else the error is the caller's. A thread that has filled a record
     * must deliver pending errors: {@link dev.larder.memory.AccessErrors#deliver}.
     *
     * @param claim where the record is; -1 where nothing was claimed
     */
    public RuntimeException fillFailed(InternalError error, long claim) {
        Segment segment = held(claim >= 0 ? claim : session.endPosition()).segment;
        if (session.faults.canStore(segment, claim)) {
            throw error;
        }
        return session.failure.storeFailed(error);
    }

    /**
     * Returns the same for an error that came while a record was read, by a method that calls the caller's code. A reader
     * does not fail the log for others.
     *
     * @param position where the record is; -1 where there was none
     */
    public RuntimeException readFailed(InternalError error, long position) {
        if (position < 0) {
            throw error;
        }
        return session.faults.whileReading(error, held(position).segment, Position.offset(position));
    }

    /**
     * Returns the keeper of the first bytes of records in memory of this process, for {@link HeldSegment#heads}.
     *
     * @param head how many bytes are kept of each record
     * @param maxBytes the most memory that they may take; 0 for none
     */
    public PrefixKeeper headKeeper(PrefixKeeper.HeadLength head, long maxBytes) {
        return new PrefixKeeper(this, head, maxBytes);
    }

    /** Returns whether the heads of the records around a position are kept. The position may lead nowhere. */
    public boolean keepsHeads(long position) {
        HeldSegment there = held.get(Position.segment(position));
        return there != null && there.heads() != PrefixCache.NOT_KEPT;
    }

    /** Returns how many bytes of memory the kept heads of records take. */
    public long headBytes() {
        long[] bytes = new long[1];
        held.forEach(there -> bytes[0] += there.heads().sizeBytes());
        return bytes[0];
    }

    /** Keeps the heads of a segment as long as the segment is held. Frees them where the segment is no longer held. */
    synchronized void keep(HeldSegment there, PrefixCache made) {
        if (held.get(there.segment.number) == there) {
            there.keep(made);
        } else {
            made.close();
        }
    }

    void forEachHeld(Consumer<HeldSegment> action) {
        held.forEach(action);
    }

    /** Returns whether the record at a position is durable. If so, the record is settled, too: committed, or padding. */
    public boolean isDurable(long position) {
        return position < session.durablePosition();
    }

    /** Makes a segment durable that has ended; its seals count from then on. */
    void makeDurable(int segment) {
        if (Position.segment(session.durablePosition()) <= segment) {
            session.syncAll();
        }
    }

    Storage storage() {
        return session.storage;
    }

    IntegrityMode integrity() {
        return session.control.integrity();
    }

    private void forgetPages() {
        held.forEach(HeldSegment::forgetPages);
    }

    private HeldSegment held(long position) {
        HeldSegment there = held.get(Position.segment(position));
        return there == null ? hold(position) : there;
    }

    private synchronized HeldSegment hold(long position) {
        HeldSegment there = held.get(Position.segment(position));
        if (there != null) {
            return there;
        }
        if (closed) {
            throw new ClosedException(this + " were closed");
        }
        Lane lane = new Lane();
        Segment segment =
                session.segments.enter(lane, Position.segment(position)).orElseThrow(() -> session.gone(position));
        try {
            HeldSegment made = new HeldSegment(session, segment, lane, missing, recent);
            held = held.with(made);
            return made;
        } catch (RuntimeException | Error e) {
            session.segments.leave(lane, segment);
            throw e;
        }
    }

    /** Closes the appenders and releases the segments. No thread may read records from then on. */
    @Override
    public synchronized void close() {
        closed = true;
        ClosingSteps closing = new ClosingSteps();
        for (RecordAppender appender : appenders) {
            closing.take("appender", appender::close);
        }
        held.forEach(there -> closing.take("segment", () -> letGo(there)));
        held = HeldSegments.NONE;
        closing.end();
    }

    @Override
    public String toString() {
        return "records of " + session.directory;
    }
}
