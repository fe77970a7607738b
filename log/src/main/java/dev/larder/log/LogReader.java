package dev.larder.log;

import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.RowWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.read.BlockedClaim;
import dev.larder.log.read.ColdBlocks;
import dev.larder.log.read.PriorRecords;
import dev.larder.log.read.RecordCopy;
import dev.larder.log.read.RecordPlaces;
import dev.larder.log.read.Seeker;
import dev.larder.log.read.Sleep;
import dev.larder.log.read.Waiting;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.write.Ownership;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the records of a log, in order, from any position on. One thread at a time. It allocates nothing per
 * record.
 *
 * <p>It loads each record's word with acquire, and trusts nothing else:
 *
 * <ul>
 *   <li>FREE is the end.
 *   <li>RESERVED is not written yet. Records are delivered in order, so the reader does not pass it. If its writer
 *       died, the claim is resolved after 1 ms, even by a reader that never waits.
 *   <li>COMMITTED is delivered.
 *   <li>PADDING is skipped.
 * </ul>
 *
 * <p>Native code loads blocks from the disk, so that no Java thread waits inside a page fault. Such blocks are checked
 * before they are delivered: against their seals, or record by record.
 */
@SuppressWarnings("ReferenceEquality") // a call of equals might not fit on the stack
public final class LogReader implements AutoCloseable {

    private final LogSession session;
    private final Segments segments;
    private final Lane lane = new Lane();
    private final ColdBlocks blocks;
    private final BlockedClaim stall;
    private final Waiting waiting;
    private final Waiting.Waiter waiter = new Waiter();
    private final Turn turn = new Turn();
    private final @Nullable RecordCopy copy;
    private final Seeker seeker;
    private final PriorRecords prior;

    private Segment segment;
    private long offset;
    private long checkAt;
    private long endSeenAt;
    private @Nullable Bookmark follower;

    /** Makes a reader that stands before the oldest record. */
    LogReader(LogSession session, WaitStrategy strategy) {
        this.session = session;
        this.waiting = new Waiting(session.storage, strategy, new Sleep(session, strategy));
        this.segments = session.segments;
        this.blocks = new ColdBlocks(session, ColdBlocks.WINDOW_BYTES);
        this.stall = new BlockedClaim(session);
        this.copy = session.isReadOnly() ? new RecordCopy() : null;
        this.segment = segments.enterFirst(lane);
        this.seeker = new Seeker(session, segment);
        this.prior = new PriorRecords(session, segment);
        stand(segment.head);
    }

    /** Returns a new reader, which the session closes when it closes itself. */
    static LogReader open(LogSession session, WaitStrategy strategy) {
        return session.reader(() -> new LogReader(session, strategy), reader -> reader.turn);
    }

    private Segment enter(Lane where, long position) {
        return segments.enter(where, Position.segment(position)).orElseThrow(() -> session.gone(position));
    }

    private void stand(long at) {
        offset = at;
        checkAt = at;
        endSeenAt = -1;
        blocks.leaveSegment();
    }

    /** Returns the position of the next record; inside a handler, of the record being read. */
    public long position() {
        return segment.position(offset);
    }

    /**
     * Moves to a position that an append or {@link #position} returned, or to the log's end. Offset 0 means the start
     * of a segment. After an error the reader stays where it was.
     *
     * @throws FellBehindException if the position lies in a segment that was dropped
     * @throws GoneException if the record was cut after a power loss
     * @throws IllegalArgumentException if no record begins there; the text names the range of positions
     * @throws CorruptException if the record there is damaged
     */
    public void moveTo(long position) {
        turn.enterAlone();
        try {
            standIn(position, placeOfRecord(position));
            AccessErrors.deliver();
        } catch (CorruptException | GoneException | IllegalArgumentException e) {
            throw session.explain(e, Position.segment(position), position);
        } catch (InternalError e) {
            throw session.faults.readFailed(e, Position.segment(position));
        } finally {
            turn.owner = null;
        }
    }

    /** Moves to the oldest record, also while segments are being dropped. */
    public void moveToFirst() {
        boolean there = false;
        while (!there) {
            try {
                moveTo(session.firstPosition());
                there = true;
            } catch (FellBehindException e) {
                Thread.onSpinWait(); // the segment was dropped between the two calls: try again
            }
        }
    }

    /** Returns whether the reader stands in a segment that was not dropped since: bytes read from it are valid. */
    private boolean standsIn(int number) {
        return segment.number == number && !segments.isDropped(number);
    }

    private void standIn(long position, long at) {
        if (!standsIn(Position.segment(position))) {
            Segment before = segment;
            blocks.leaveSegment();
            Segment entered = enter(lane, position);
            segment = entered; // with its offset, by stores alone: no error can come between them
            offset = at;
            checkAt = at;
            endSeenAt = -1;
            segments.release(before);
            segments.mapped().unmapDropped();
        } else {
            stand(at);
        }
    }

    /**
     * Moves to the record before which {@code sequence} records were committed since the log began. The number of all records
     * moves to the position of the next record. After an error the reader stays where it was.
     *
     * @throws GoneException if the record was dropped
     * @throws IllegalArgumentException if the record does not exist yet; the text names the range of sequences
     */
    public void moveToSequence(long sequence) {
        seek(false, sequence);
    }

    /**
     * Moves to the first record that was appended at a time or later. Times are known only for each MiB of the log. So the
     * reader skips no record of that time or later, but may stand up to 1 MiB before the first one. A future time moves to the
     * end.
     */
    public void moveToTime(Instant time) {
        seek(true, millis(time));
    }

    private void seek(boolean byTime, long wanted) {
        turn.enterAlone();
        try {
            boolean there = false;
            while (!there) {
                there = tryToSeek(byTime, wanted);
            }
            AccessErrors.deliver();
        } catch (InternalError e) {
            throw session.faults.readFailed(e, segment);
        } finally {
            turn.owner = null;
        }
    }

    /**
     * Returns false if the segment it found was dropped before the reader stood there; then another segment is the
     * first.
     */
    private boolean tryToSeek(boolean byTime, long wanted) {
        try {
            long position =
                    byTime ? seeker.positionOfTime(wanted, segment) : seeker.positionOfSequence(wanted, segment);
            standIn(position, Position.offset(position));
            return true;
        } catch (FellBehindException e) {
            return false;
        }
    }

    /** Makes a bookmark follow the reader: the bookmark moves past each record when the record's handler returns. */
    public void follow(Bookmark bookmark) {
        follower = bookmark;
    }

    /** Stops the bookmark from following the reader. */
    public void unfollow() {
        follower = null;
    }

    private static long millis(Instant time) {
        long seconds = Math.clamp(time.getEpochSecond(), 0, RowWord.MILLIS_MAX / 1000 - 1);
        return seconds * 1000 + time.getNano() / 1_000_000;
    }

    /**
     * Returns the number of records committed before the next one, since the log began; inside a handler, before the record
     * being read. Waits for live writers of earlier records.
     *
     * @throws LogBusyException if such a writer does not commit for 30 s
     * @throws FellBehindException if the reader's position was dropped, and its sequence is no longer known
     */
    public long sequence() {
        boolean inside = turn.isInside();
        if (!inside) {
            turn.enterAlone();
        }
        try {
            long sequence = seeker.sequenceOf(segment, offset);
            checkNotVoid();
            AccessErrors.deliver();
            return sequence;
        } catch (CorruptException e) {
            checkNotVoid();
            throw e;
        } catch (InternalError e) {
            throw session.faults.readFailed(e, segment);
        } finally {
            if (!inside) {
                turn.owner = null;
            }
        }
    }

    /** Returns how many records were committed up to the first record that is still being written. */
    long committedRecords() {
        turn.enterAlone();
        try {
            long records = -1;
            while (records < 0) {
                records = tryToCount();
            }
            AccessErrors.deliver();
            return records;
        } catch (InternalError e) {
            throw session.faults.readFailed(e, segment);
        } finally {
            turn.owner = null;
        }
    }

    /** Returns -1 if a segment was dropped while its records were counted. */
    private long tryToCount() {
        try {
            return seeker.committedRecords(segment);
        } catch (FellBehindException e) {
            return -1;
        }
    }

    /** Returns the offset at which a record begins, or will begin. */
    private long placeOfRecord(long position) {
        if (standsIn(Position.segment(position))) {
            return RecordPlaces.offsetOf(position, segment, session);
        }
        Lane probe = new Lane();
        session.requireReadable(position);
        Segment there =
                segments.enter(probe, Position.segment(position)).orElseThrow(() -> session.goneOrAbsent(position));
        try {
            return RecordPlaces.offsetOf(position, there, session);
        } finally {
            segments.leave(probe, there);
        }
    }

    /**
     * Passes the next record to a handler; returns false if there is none yet. The errors are those of {@link #drain}.
     */
    public boolean poll(RecordHandler handler) {
        return drain(handler, 1) == 1;
    }

    /**
     * Passes up to {@code limit} records to a handler; returns how many. If the handler throws, the reader stays before
     * that record. A read-only opening passes copies, since nothing keeps its files from being reused.
     *
     * @throws FellBehindException if the next record was dropped; the reader stays where it was
     * @throws LogFailedException if a read-only opening finds no next record, and that the files were removed or replaced; it
     *     looks once a second
     * @throws CorruptException if the bytes fail their seal or their check
     * @throws IllegalArgumentException if the limit is negative
     */
    public int drain(RecordHandler handler, int limit) {
        requireNotNegative(limit);
        Thread self = Thread.currentThread();
        turn.enterAlone();
        try {
            checkNotBehind();
            int delivered = isHeldAtEnd() ? 0 : deliver(handler, limit);
            AccessErrors.deliver();
            if (delivered == 0 && copy != null) {
                session.checkPresentToRead();
            }
            turn.leave();
            return delivered;
        } catch (CorruptException e) {
            checkNotVoid();
            throw e;
        } catch (InternalError e) {
            throw session.faults.whileReading(e, segment, offset);
        } finally {
            if (turn.owner == self) {
                turn.owner = null;
            }
        }
    }

    /**
     * Returns whether there is a next record, and stands before it then. It is not passed to a handler, and not even read. The
     * errors are those of {@link #drain}.
     */
    public boolean hasNext() {
        Thread self = Thread.currentThread();
        turn.enterAlone();
        try {
            checkNotBehind();
            boolean there = !isHeldAtEnd() && standAtNext();
            AccessErrors.deliver();
            if (!there && copy != null) {
                session.checkPresentToRead();
            }
            turn.leave();
            return there;
        } catch (CorruptException e) {
            checkNotVoid();
            throw e;
        } catch (InternalError e) {
            throw session.faults.whileReading(e, segment, offset);
        } finally {
            if (turn.owner == self) {
                turn.owner = null;
            }
        }
    }

    private boolean standAtNext() {
        while (true) {
            long at = offset;
            if (at >= checkAt && !enterBlock(at)) {
                return false;
            }
            long word = segment.wordAcquire(at);
            if (blocks.isChecking()) {
                check(at, word);
            }
            if (RecordWord.state(word) == RecordWord.COMMITTED) {
                return true;
            }
            if (!skip(at, word)) {
                return false;
            }
        }
    }

    private void requireNotNegative(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException(this + ": cannot pass up to " + limit + " records; the least is 0");
        }
    }

    private int deliver(RecordHandler handler, int limit) {
        int delivered = 0;
        while (delivered < limit) {
            long at = offset;
            if (at >= checkAt && !enterBlock(at)) {
                break;
            }
            long word = segment.wordAcquire(at);
            if (blocks.isChecking()) {
                check(at, word);
            }
            if (RecordWord.state(word) == RecordWord.COMMITTED) {
                long next = segment.next(at, word);
                if (next > checkAt) {
                    enterRest(at, word, next);
                }
                hand(handler, at + RecordWord.BYTES, RecordWord.length(word));
                offset = next;
                delivered++;
                if (follower != null) {
                    follower.move(segment.position(next));
                }
            } else if (!skip(at, word)) {
                break;
            }
        }
        return delivered;
    }

    /**
     * Enters the further blocks of a record. Checks the record if one of them came from the disk and its first block
     * did not.
     */
    private void enterRest(long at, long word, long next) {
        boolean checked = blocks.isChecking();
        blocks.enterRest(segment, checkAt, next);
        checkAt = believedEnd(next - RecordWord.BYTES);
        if (blocks.isChecking() && !checked) {
            check(at, word);
        }
    }

    private void hand(RecordHandler handler, long at, int length) {
        if (copy == null) {
            handler.onRecord(segment.view, at, length);
            return;
        }
        MemorySegment copied = copy.of(segment.view, at, length);
        checkNotVoid();
        handler.onRecord(copied, 0, length);
    }

    private boolean isDropped() {
        return segment.number < session.control.firstVolatile();
    }

    /** Fails if the segment was dropped before the reader has read all of it. */
    private void checkNotBehind() {
        int first = session.control.firstVolatile();
        boolean missedNothing = first == segment.number + 1 && isAtEnd();
        if (segment.number < first && !missedNothing) {
            throw session.fellBehind(position());
        }
    }

    /**
     * Returns whether only padding follows. The pin keeps the bytes unchanged; a reader without one must have seen it
     * before.
     */
    private boolean isAtEnd() {
        if (copy != null) {
            return endSeenAt == offset;
        }
        long at = offset;
        long word = segment.wordAcquire(at);
        while (RecordWord.state(word) == RecordWord.PADDING && !RecordWord.isEnd(word)) {
            at = segment.next(at, word);
            word = segment.wordAcquire(at);
        }
        return RecordWord.isEnd(word);
    }

    /**
     * Returns whether the reader stands at an end that it has seen, and there is no next segment yet; otherwise goes on. A
     * reader without a pin must not read that end again, since the file may be in use again.
     */
    private boolean isHeldAtEnd() {
        return copy != null && endSeenAt == offset && !goOn(offset);
    }

    /** Fails if the bytes just read may belong to the file's next use; a pin prevents that. */
    private void checkNotVoid() {
        if (isVoid(segment)) {
            throw session.fellBehind(position());
        }
    }

    private boolean isVoid(Segment read) {
        return copy != null && segments.isDropped(read.number);
    }

    /** Passes the previous record to a handler, and then stands before it; returns false if there is none. */
    public boolean pollBackward(RecordHandler handler) {
        return drainBackward(handler, 1) == 1;
    }

    /**
     * Passes up to {@code limit} records to a handler, backward from the previous one; returns how many. The reader then
     * stands before the last record it passed. If the handler throws, the reader stands after that record. A record that is
     * still being written is left out, and so is every record after it in its segment.
     *
     * @throws FellBehindException if the reader's position was dropped
     * @throws CorruptException if the bytes fail their seal or their check
     * @throws IllegalArgumentException if the limit is negative
     */
    public int drainBackward(RecordHandler handler, int limit) {
        requireNotNegative(limit);
        turn.enterAlone();
        try {
            checkNotBehind();
            int delivered = 0;
            while (delivered < limit && deliverPrior(handler)) {
                delivered++;
            }
            AccessErrors.deliver();
            return delivered;
        } catch (CorruptException e) {
            checkNotVoid();
            throw e;
        } catch (InternalError e) {
            throw session.faults.whileReading(e, segment, offset);
        } finally {
            turn.owner = null;
        }
    }

    private boolean deliverPrior(RecordHandler handler) {
        long at = isDropped() ? -1 : prior.before(segment, offset);
        while (at < 0) {
            if (!enterPrevious()) {
                return false;
            }
            at = prior.before(segment, offset);
        }
        deliverAt(handler, at);
        return true;
    }

    private void deliverAt(RecordHandler handler, long at) {
        long behind = offset;
        boolean handled = false;
        standInBlock(at);
        try {
            long word = segment.wordAcquire(at);
            enterFurther(at, word, nextWithin(at, word));
            hand(handler, at + RecordWord.BYTES, RecordWord.length(word));
            handled = true;
        } finally {
            standInBlock(handled ? at : behind);
        }
    }

    /** Checks that a word does not lead out of the segment, as a word of the file's next use might. */
    private long nextWithin(long at, long word) {
        long next = segment.next(at, word);
        assert next > at;
        return next;
    }

    /** Enters the further blocks of a record. The search that found the record has entered its first block. */
    private void enterFurther(long at, long word, long next) {
        if (next > blockEnd(at)) {
            blocks.leaveSegment();
            blocks.enterRest(segment, blockEnd(at), next);
            if (blocks.isChecking()) {
                check(at, word);
            }
        }
    }

    /** Stands at an offset of this segment; a read from there enters its block again. */
    private void standInBlock(long at) {
        offset = at;
        checkAt = at;
    }

    private boolean enterPrevious() {
        if (segment.number <= session.control.firstVolatile()) {
            return false;
        }
        segments.requireHeadInMemory(segment.number - 1);
        Optional<Segment> previous = segments.enter(lane, segment.number - 1);
        if (previous.isEmpty() && !segments.isDropped(segment.number - 1)) {
            throw segments.missing(segment.number - 1);
        }
        return previous.isPresent() && standAtEnd(previous.get());
    }

    /**
     * Stands at the end of a segment that the lane is in. After an error, and when the bytes it read are void, the reader
     * stays where it was.
     */
    private boolean standAtEnd(Segment previous) {
        Segment left = segment;
        long end = -1;
        try {
            end = endOf(previous);
        } finally {
            segments.move(lane, end < 0 ? previous : left, end < 0 ? left : previous);
        }
        if (end >= 0) {
            blocks.leaveSegment();
            segment = previous;
            offset = end;
            checkAt = end;
            endSeenAt = end;
        }
        return end >= 0;
    }

    /** Returns the end of a segment; -1 where it was dropped meanwhile, and no pin keeps the bytes that were read. */
    private long endOf(Segment ended) {
        long last = ended.hintAfter(ended.head);
        segments.requireInMemory(ended, last, last + RecordWord.BYTES);
        AccessErrors.deliver(); // errors of the handler, or of the segment before
        try {
            long end = RecordPlaces.end(ended, session.control.integrity());
            AccessErrors.deliver();
            return isVoid(ended) ? -1 : end;
        } catch (InternalError e) {
            throw session.faults.readFailed(e, ended);
        } catch (CorruptException e) {
            if (isVoid(ended)) {
                return -1;
            }
            throw e;
        }
    }

    private void check(long at, long word) {
        boolean settled = RecordWord.state(word) > RecordWord.RESERVED;
        if (settled && !segment.isSound(at, word, session.control.integrity())) {
            throw unsound(at);
        }
    }

    /**
     * Fails if a word that is FREE or RESERVED was synced in another state. Without this check, lost records would look
     * like the end. The word is read again, since the first read may be older than the durable position.
     */
    private void checkNotLost(long at) {
        boolean durable = segment.position(at) < session.durablePosition();
        if (durable && RecordWord.state(segment.wordAcquire(at)) <= RecordWord.RESERVED) {
            throw unsound(at);
        }
    }

    private CorruptException unsound(long at) {
        return new CorruptException(segment.path + ": the record at position " + Position.toString(segment.position(at))
                + " fails its check");
    }

    /** Skips padding, or enters the next segment; returns whether the reader has moved. */
    private boolean skip(long at, long word) {
        if (RecordWord.state(word) != RecordWord.PADDING) {
            checkNotLost(at);
            return RecordWord.state(word) == RecordWord.RESERVED && passClaim(at, word);
        }
        if (!RecordWord.isEnd(word)) {
            step(segment.next(at, word));
            return true;
        }
        return goOn(at);
    }

    /** Returns whether a claim no longer blocks the reader: its word has changed, or its writer is dead. */
    private boolean passClaim(long at, long word) {
        long next = stall.pass(segment, at, word);
        if (next > at) {
            step(next);
        }
        return next >= 0;
    }

    /** Stands at an offset to which a word of this segment has led, unless the word may belong to the file's next use. */
    private void step(long next) {
        checkNotVoid();
        offset = next;
    }

    /** Moves from the end of a segment to the next one; returns false while there is none. */
    private boolean goOn(long at) {
        if (endSeenAt != at) {
            checkNotVoid();
            endSeenAt = at;
        }
        segments.requireHeadInMemory(segment.number + 1);
        Optional<Segment> next = segments.acquireLater(segment);
        if (next.isEmpty() && segments.isDropped(segment.number + 1)) {
            throw session.fellBehind(position());
        }
        if (next.isPresent()) {
            goInto(next.get());
        }
        return next.isPresent();
    }

    /**
     * Stands in the next segment before its pin leaves this one. An error between the two steps leaves one pin too
     * many.
     */
    private void goInto(Segment entered) {
        Segment left = segment;
        blocks.leaveSegment();
        long head = entered.head;
        segment = entered;
        offset = head;
        checkAt = head;
        endSeenAt = -1;
        segments.move(lane, left, entered);
        segments.bringInHead(entered);
        segments.mapped().unmapDropped();
    }

    /** Enters a block; returns false at the end of the range that a read-only opening may trust. */
    private boolean enterBlock(long at) {
        if (segment.position(at) >= session.readLimit()) {
            return session.raiseReadLimit() && enterBlock(at);
        }
        blocks.enter(segment, at);
        checkAt = believedEnd(at);
        return true;
    }

    /** Returns the end of the block that an offset lies in, or of its range that a read-only opening may trust. */
    private long believedEnd(long at) {
        long left = session.readLimit() - segment.position(at);
        return Math.min(blockEnd(at), at + left);
    }

    private static long blockEnd(long at) {
        return (at | (SegmentLayout.BLOCK_BYTES - 1)) + 1;
    }

    /**
     * Passes the next record to a handler, and waits for it up to {@code timeout} by its {@link WaitStrategy}. Returns
     * false if the time is over. A negative timeout is zero.
     *
     * @throws InterruptedException if the thread is interrupted while it waits; nothing was read
     * @throws ClosedException if the log is closed meanwhile
     */
    public boolean poll(RecordHandler handler, Duration timeout) throws InterruptedException {
        return waiting.poll(waiter, handler, timeout);
    }

    /** The ownership of this reader: one thread uses it at a time. */
    private final class Turn extends Ownership {

        /** Wakes the thread inside, if it sleeps. */
        @Override
        protected void nudge() {
            if (!session.isReadOnly()) {
                session.wake.committed();
            }
            unparkOwner();
        }

        @Override
        public void close() {
            LogReader.this.close();
        }

        @Override
        public String toString() {
            return LogReader.this.toString();
        }
    }

    /** This reader, as {@link Waiting} uses it. */
    private final class Waiter implements Waiting.Waiter {

        @Override
        public boolean poll(RecordHandler handler) {
            return LogReader.this.poll(handler);
        }

        @Override
        public void checkNotClosing() {
            turn.checkNotClosing();
        }

        /** Sleeps at the word of the next record, at most for the given time. */
        @Override
        public void sleep(Sleep sleep, long nanos) {
            turn.enterAlone();
            try {
                sleep.before(segment, offset, nanos);
            } finally {
                turn.owner = null;
            }
        }
    }

    /** Closes the reader; waits for a running handler. */
    @Override
    public void close() {
        if (turn.enterForGood()) {
            segments.leave(lane, segment);
            session.forget(turn);
        }
    }

    @Override
    public String toString() {
        return "reader of " + session.directory;
    }
}
