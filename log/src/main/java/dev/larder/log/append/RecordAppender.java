package dev.larder.log.append;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogFailedException;
import dev.larder.log.RecordTooLargeException;
import dev.larder.log.RecordWriter;
import dev.larder.log.background.Maintenance;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.segment.PagedCopy;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.shared.Wake;
import dev.larder.log.write.ClaimMark;
import dev.larder.log.write.LeftClaims;
import dev.larder.log.write.Ownership;
import dev.larder.log.write.Writer;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.Crc32c;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Appends records: claims the place of a record by a compare-and-set of its own word, copies, and commits by another.
 * Processes share no lock, and no word that all of them wait for.
 *
 * <pre>
 * own end, or the hint            claimed               committed
 *   walk over what others    ->   RESERVED | owner  ->  COMMITTED | check
 *   have claimed to a 0 word      copy the payload      wake the sleepers
 * </pre>
 *
 * Allocates nothing per record.
 */
@SuppressWarnings("ReferenceEquality") // a call of equals might not fit on the stack
public final class RecordAppender extends Ownership {

    private static final VarHandle CLAIMED;

    static {
        try {
            CLAIMED = MethodHandles.lookup().findVarHandle(RecordAppender.class, "claimed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LogSession session;
    private final Segments segments;
    private final Storage storage;
    private final Failpoints steps;
    private final int slotOwner;
    private final boolean checked;
    private final Wake wake;
    private final Maintenance maintenance;
    private final Lane lane = new Lane();

    private final Writer writer = new AsWriter();

    /**
     * How many claims of a new appender ask for their pages first, where the system tells what is wrong with those. Code that
     * the JVM has not compiled yet ends the process at a compare-and-set that cannot be served, where a store would throw an
     * error.
     */
    private static final int COLD_CLAIMS = 2000;

    private int coldClaims = COLD_CLAIMS;

    /** Whether the next claim asks for its pages. */
    private boolean asks;

    /**
     * The claim of this appender, as a {@link ClaimMark}. It is stored before the claim is made: whatever ends the call, the
     * next call finds what was left behind.
     */
    private long claimed = ClaimMark.NONE;
    /**
     * The longest payload; -1 once the log has failed, so that an append which begins then takes the path of one that is too
     * long. Another thread stores the -1. The field is not volatile: each append ends with a compare-and-set, so the next one
     * reads it again.
     */
    private long lengthMax;

    private Segment segment;
    private MemorySegment memory;
    private final Crc32c crc = new Crc32c();
    private long end;
    private long signalAt;
    private long records;
    private long bytes;

    private RecordAppender(LogSession session, @Nullable Thread confinedTo) {
        super(confinedTo);
        this.session = session;
        this.segments = session.segments;
        this.storage = session.storage;
        this.steps = HookedOptions.of(session.options).failpoints();
        this.slotOwner = session.owner;
        this.checked = session.control.integrity() == IntegrityMode.RECORD;
        this.asks = session.grows || storage.isNative();
        this.lengthMax = session.recordMaxBytes();
        this.wake = session.wake;
        this.maintenance = session.maintenance();
        this.segment = segments.enterTail(lane);
        try {
            this.memory = segment.memory;
            stand(segment.head);
        } catch (RuntimeException | Error e) {
            segments.leave(lane, segment);
            throw e;
        }
    }

    /** Returns a new appender, which the session closes at its end. */
    public static RecordAppender open(LogSession session) {
        return open(session, null);
    }

    /** Returns a new appender for the calling thread alone, which the session closes at its end. */
    public static RecordAppender openConfined(LogSession session) {
        return open(session, Thread.currentThread());
    }

    private static RecordAppender open(LogSession session, @Nullable Thread confinedTo) {
        return session.appender(() -> {
            RecordAppender appender = new RecordAppender(session, confinedTo);
            session.traffic.add(appender.writer);
            return appender;
        });
    }

    /** Appends bytes; returns the record's position. The errors are those of {@link #append(MemorySegment, long, long)}. */
    public long append(byte[] source) {
        return append(source, 0, source.length);
    }

    /** Appends a range of an array; returns the record's position. */
    public long append(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        Thread self = Thread.currentThread();
        enter();
        long position;
        try {
            position = copyIn(source, offset, length);
            leave();
        } catch (Throwable e) {
            try {
                throw gaveUp(e);
            } finally {
                if (owner == self) {
                    owner = null;
                }
                inside = false;
            }
        }
        return session.appended(position);
    }

    /**
     * Appends a range of memory as one record and returns its position.
     *
     * @throws RecordTooLargeException when the range is longer than a record may be; nothing was claimed
     * @throws dev.larder.memory.DiskFullException when the next segment finds no room; nothing was claimed
     * @throws LogFailedException when the log has failed, or fails now
     * @throws dev.larder.memory.ClosedException when this appender was closed
     */
    public long append(MemorySegment source, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        Thread self = Thread.currentThread();
        enter();
        long position;
        try {
            position = copyIn(source, offset, length);
            leave();
        } catch (Throwable e) {
            try {
                throw gaveUp(e);
            } finally {
                if (owner == self) {
                    owner = null;
                }
                inside = false;
            }
        }
        return session.appended(position);
    }

    /**
     * Appends a record that is written in place, without a copy, and returns its position. If the writer throws, the record's
     * place becomes padding and the caller gets the error.
     */
    public long append(int length, RecordWriter writer) {
        if (length < 0) {
            throw new IllegalArgumentException(
                    session.directory + ": a record of " + length + " bytes; the least is 0");
        }
        Thread self = Thread.currentThread();
        enter();
        long position;
        try {
            position = writeIn(length, writer);
            leave();
        } catch (Throwable e) {
            try {
                throw gaveUp(e);
            } finally {
                if (owner == self) {
                    owner = null;
                }
                inside = false;
            }
        }
        return session.appended(position);
    }

    private long copyIn(byte[] source, int offset, int length) {
        segment.expect(AccessOrder.SEQUENTIAL, storage);
        long at = claim(length);
        fill(at, source, offset, length);
        return commit(at, length);
    }

    private long copyIn(MemorySegment source, long offset, long length) {
        segment.expect(AccessOrder.SEQUENTIAL, storage);
        long at = claim(length);
        fill(at, source, offset, length);
        return commit(at, (int) length);
    }

    private void fill(long at, byte[] source, int offset, int length) {
        if (session.grows) {
            PagedCopy.copy(MemorySegment.ofArray(source), offset, memory, at + RecordWord.BYTES, length);
        } else {
            MemorySegment.copy(source, offset, memory, ValueLayout.JAVA_BYTE, at + RecordWord.BYTES, length);
        }
    }

    private void fill(long at, MemorySegment source, long offset, long length) {
        if (session.grows) {
            PagedCopy.copy(source, offset, memory, at + RecordWord.BYTES, length);
        } else {
            MemorySegment.copy(source, offset, memory, at + RecordWord.BYTES, length);
        }
    }

    private long writeIn(int length, RecordWriter writer) {
        segment.expect(AccessOrder.SEQUENTIAL, storage);
        long at = claim(length);
        writer.write(memory, at + RecordWord.BYTES, length);
        return commit(at, length);
    }

    /**
     * Turns a record that was claimed and not committed into padding, and returns the error to be thrown. A live owner's
     * claim would hold up every reader. If the stack has no room for that, it is done later: by the next call, by
     * {@link #close}, or by a thread that is held up ({@link LeftClaims}).
     */
    public RuntimeException gaveUp(Throwable met) {
        if (met instanceof InternalError error && !session.faults.canStore(segment, ClaimMark.position(claimed))) {
            claimed = ClaimMark.NONE;
            return session.failure.storeFailed(error);
        }
        giveUp();
        throw RecordAppender.<RuntimeException>asItIs(met);
    }

    /**
     * Throws an error as it is, whether a method declares it or not: a writer in another language may throw a checked
     * exception.
     */
    @SuppressWarnings("unchecked") // the type is erased: nothing is cast
    private static <T extends Throwable> RuntimeException asItIs(Throwable met) throws T {
        throw (T) met;
    }

    private void giveUp() {
        if (ClaimMark.isClaim(claimed)) {
            session.leftClaims().giveUp(writer, segment);
        } else if (claimed == ClaimMark.MOVING && lane.segment() != segment.number) {
            begin(segments.enterTail(lane)); // the mapping of the segment that was left stays until the log is closed
        }
        claimed = ClaimMark.NONE;
    }

    /** Claims a record that is filled and committed elsewhere; returns its position. Must be followed by {@link #handOver}. */
    public long claimOpen(long length) {
        long at = claim(length);
        records++;
        bytes += RecordWord.sizeBytes(length);
        return segment.position(at);
    }

    /** Hands a claim over to the code that fills it: by a store, and no call that could fail. */
    public void handOver() {
        CLAIMED.setRelease(this, ClaimMark.NONE); // the code that fills it has noted the claim before
    }

    /** Claims a run of records that will be written by a call, and not through the mapping. */
    public long claimToWriteAround(long length) {
        segment.expect(AccessOrder.RANDOM, storage);
        long at = claim(length);
        segment.expect(AccessOrder.RANDOM, storage);
        return at;
    }

    /** Claims a record in this segment or a later one; returns its offset. */
    long claim(long length) {
        if (length > lengthMax || length < 0) {
            refuse(length);
        }
        if (claimed != ClaimMark.NONE) {
            giveUp(); // a claim that an earlier call has left behind
        }
        steps.reached("append.entered");
        long at = claimHere((int) length);
        while (at < 0) {
            roll(RecordWord.sizeBytes(length));
            at = claimHere((int) length);
        }
        steps.reached("append.claimed");
        return at;
    }

    private void refuse(long length) {
        session.failure.check();
        if (length < 0) {
            throw new IllegalArgumentException(
                    session.directory + ": a record of " + length + " bytes; the least is 0");
        }
        throw new RecordTooLargeException(session.directory + ": record of " + length + " bytes; the largest is "
                + session.recordMaxBytes() + " bytes");
    }

    /** Claims a record in this segment, or ends the segment and returns -1 when it does not fit. */
    private long claimHere(int length) {
        long size = RecordWord.sizeBytes(length);
        long at = segment.hintAfter(end);
        for (; ; ) {
            long word = segment.wordAcquire(at);
            if (word != RecordWord.FREE) {
                if (RecordWord.isEnd(word)) {
                    return -1;
                }
                at = segment.next(at, word);
            } else if (!segment.fits(at, size)) {
                endAt(at);
            } else if (isBacked(at, size) && reserve(at, size, length)) {
                stand(at + size);
                segment.hintRelease(end);
                return at;
            }
        }
    }

    private boolean reserve(long at, long size, int length) {
        long position = segment.position(at);
        claimed = ClaimMark.trying(position);
        boolean entersBlock = at == segment.head || ((at ^ (at + size)) >>> SegmentLayout.BLOCK_SHIFT) != 0;
        boolean won = entersBlock
                ? reserveAndNoteTime(at, size, length)
                : Words.compareAndSet(memory, at, RecordWord.FREE, RecordWord.reserved(length, slotOwner));
        claimed = won ? ClaimMark.won(position) : ClaimMark.NONE;
        return won;
    }

    /**
     * Claims a record that begins a segment, or reaches into a further block, and stores the time of that block. The time is
     * read before the claim and after the claims before it, and the log's own time is raised with it. So of two blocks the
     * later one never has the lower time, whichever appender stores first.
     */
    private boolean reserveAndNoteTime(long at, long size, int length) {
        long now = storage.currentTimeMillis();
        long millis = session.control.raiseTimeMillis(now);
        if (!Words.compareAndSet(memory, at, RecordWord.FREE, RecordWord.reserved(length, slotOwner))) {
            return false;
        }
        if (at == segment.head) {
            segment.rows.noteTime(at, millis);
            segment.rows.noteBegan(now);
        }
        segment.rows.noteTime(at + size, millis);
        return true;
    }

    private void endAt(long at) {
        if (isBacked(at, 0)) {
            Words.compareAndSet(memory, at, RecordWord.FREE, RecordWord.end(segment.salt, segment.position(at)));
        }
    }

    private boolean isBacked(long at, long size) {
        return !asks || ask(at, size + Segment.END_ROOM_BYTES);
    }

    /** Asks for space before the claim, where it is not reserved, so that a full disk is an error and not a fault. */
    private boolean ask(long at, long size) {
        return session.grows ? session.back(segment, at, size) : askWhileCold(at);
    }

    /** Asks for the record's own word alone: a payload may be long, and a store to it that cannot be served is an error. */
    private boolean askWhileCold(long at) {
        coldClaims--;
        asks = coldClaims > 0;
        try {
            return session.back(segment, at, Segment.END_ROOM_BYTES);
        } catch (StorageException e) {
            if (session.faults.canStore(segment, segment.position(at))) {
                return true; // the system could not say; the space is reserved
            }
            throw session.failure.storeFailed(e);
        }
    }

    private void stand(long offset) {
        end = offset;
        if (offset >= signalAt) {
            signalAt = offset + Maintenance.STRIDE_BYTES;
            maintenance.signal();
        }
    }

    private void roll(long recordBytes) {
        session.failure.check();
        claimed = ClaimMark.MOVING;
        begin(nextSegment(recordBytes));
        claimed = ClaimMark.NONE;
        wake.committed();
        session.writing().dropping().rolled();
    }

    /** Enters a segment: by stores alone, so that no error comes between them. */
    private void begin(Segment entered) {
        segment = entered;
        memory = entered.memory;
        end = entered.head;
        signalAt = 0;
        stand(entered.head);
    }

    /** This appender, as the background sees it, and a thread that is held up by a claim. */
    private final class AsWriter implements Writer {

        @Override
        public long records() {
            return records;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public long claimed() {
            return (long) CLAIMED.getAcquire(RecordAppender.this);
        }

        @Override
        public void leaving(long mark) {
            claimed = mark;
        }

        @Override
        public boolean isAtWork() {
            return isTaken();
        }

        @Override
        public void stop() {
            lengthMax = -1;
        }

        @Override
        public void follow() {
            boolean due = claimed != ClaimMark.NONE || isBehind(); // a visit of a confined appender is not free
            if (due && !isTaken() && tryVisit()) {
                try {
                    if (claimed != ClaimMark.NONE) {
                        giveUp();
                    }
                    if (isBehind()) {
                        claimed = ClaimMark.MOVING;
                        begin(segments.rejoin(lane, segment));
                        claimed = ClaimMark.NONE;
                    }
                } finally {
                    endVisit();
                }
            }
        }

        private boolean isBehind() {
            return segment.number < session.control.tailAcquire();
        }
    }

    private Segment nextSegment(long recordBytes) {
        try {
            return segments.enterNextOrCreate(lane, segment, recordBytes);
        } catch (DiskFullException e) {
            if (!session.writing().dropping().makeRoom()) {
                throw e;
            }
            return segments.enterNextOrCreate(lane, segment, recordBytes);
        }
    }

    /** Commits a claim that has been filled; returns the record's position. */
    private long commit(long at, int length) {
        steps.reached("append.copied");
        long position = segment.position(at);
        int check = checked ? crc.over(memory, at + RecordWord.BYTES, length) : 0;
        AccessErrors.deliver(); // a payload that was not stored, or not read for its check, must not be published
        long word = RecordWord.committed(segment.salt, position, length, check);
        publish(at, RecordWord.reserved(length, slotOwner), word, 1, RecordWord.sizeBytes(length));
        tellOfCommit();
        return position;
    }

    /**
     * SYNC POINT: commit. Replaces a claim's word by its final one, which publishes the payload before it. No error comes
     * behind that: the caller records the commit by stores, and then calls {@link #tellOfCommit}.
     */
    public void publish(long at, long reserved, long committed, long count, long size) {
        records += count;
        bytes += size;
        if (!Words.compareAndSet(memory, at, reserved, committed)) {
            throw session.judgedDead(segment, at);
        }
        claimed = ClaimMark.NONE;
    }

    /** Wakes the threads that wait for a record that was committed just now. An error does not undo the commit. */
    public void tellOfCommit() {
        steps.reached("append.committed");
        wake.committed();
        maintenance.appended();
        AccessErrors.deliver(); // errors of the shared words: they fail the log, and are not met in the caller's code
    }

    public Segment segment() {
        return segment;
    }

    public int slotOwner() {
        return slotOwner;
    }

    /** Closes the appender; waits for a thread that is appending. The appended records stay. */
    @Override
    public void close() {
        if (enterForGood()) {
            try {
                giveUp();
            } finally {
                session.traffic.remove(writer);
                session.forget(this);
            }
            segments.leave(lane, segment);
        }
    }

    @Override
    public String toString() {
        return "appender of " + session.directory;
    }
}
