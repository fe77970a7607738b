package dev.larder.log.read;

import dev.larder.log.GoneException;
import dev.larder.log.Position;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RowWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.segment.Ascending;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.CorruptException;
import java.util.Optional;

/**
 * The search from a sequence, or a time, to a position, and from a position to its sequence. It uses the segments' starts,
 * then the rows of one segment, then walks over at most a block and a record. For one thread at a time.
 *
 * <p>A segment that is dropped during the search causes an error that names this. The caller then searches again in the
 * segments that are left.
 */
public final class Seeker {

    private final LogSession session;
    private final Segments segments;
    private final Lane lane = new Lane();
    private final RecordCount count;
    private final Ascending recordsOfRows = this::recordsBefore;
    private final Ascending timesOfRows = this::timeMillis;
    private Segment segment;
    private Segment held;

    /** The segment whose head was loaded last. */
    private int headOf = -1;

    public Seeker(LogSession session, Segment segment) {
        this.session = session;
        this.segments = session.segments;
        this.segment = segment;
        this.held = segment;
        this.count = new RecordCount(session, segment);
    }

    private long recordsBefore(int block) {
        long index = segment.rows.index(block);
        return index == RowWord.UNKNOWN ? Ascending.UNKNOWN : RowWord.records(index);
    }

    private long timeMillis(int block) {
        long millis = segment.rows.timeMillis(block);
        return millis == 0 ? Ascending.UNKNOWN : millis;
    }

    /** Returns the sequence of the record at an offset of a segment that the caller stands in. */
    public long sequenceOf(Segment where, long offset) {
        held = where;
        segments.requireHeadInMemory(where.number);
        long base = where.rows.baseSequence();
        while (base == Ascending.UNKNOWN) {
            base = session.starts.firstSequence(where.number);
            if (base == Ascending.UNKNOWN) {
                awaitSettled(where.number - 1);
            }
        }
        return base + count.before(where, offset);
    }

    /** Waits until no record is being written in the segments up to the given one. */
    private void awaitSettled(int number) {
        for (int at = session.control.firstVolatile(); at <= number; at++) {
            Optional<Segment> there = segments.enter(lane, at);
            if (there.isPresent()) {
                awaitSettled(there.get());
            }
        }
    }

    private void awaitSettled(Segment ended) {
        try {
            count.before(ended, RecordPlaces.end(ended, session.control.integrity()));
            AccessErrors.deliver();
        } catch (InternalError e) {
            throw session.faults.readFailed(e, ended);
        } catch (CorruptException e) {
            session.checkNotVoid(ended.number, ended.position(ended.head));
            throw e;
        } finally {
            leave(ended);
        }
    }

    /**
     * Returns the position of the record that has so many records before it, or will have them if it is the next record.
     *
     * @param standing the segment that the caller stands in, which need not be entered
     * @throws GoneException when the record was dropped
     * @throws IllegalArgumentException when the record does not exist yet
     */
    public long positionOfSequence(long sequence, Segment standing) {
        held = standing;
        if (sequence < 0) {
            throw new IllegalArgumentException(session.directory + ": sequences begin at 0, not at " + sequence);
        }
        int number = session.starts.segmentOfSequence(sequence);
        long base = knownBase(number);
        long wanted = Math.min(sequence - base, Long.MAX_VALUE - 1);
        segment = enter(number);
        try {
            count.beginInBlock(segment, recordsOfRows.lastBelow(wanted + 1, 0, lastBlock()));
            count.walkOverDead(session.readEnd(segment), wanted);
            if (count.records() < wanted) {
                throw absent(sequence, base + count.records());
            }
            AccessErrors.deliver();
            return segment.position(count.offset());
        } catch (InternalError e) {
            throw session.faults.readFailed(e, segment);
        } catch (CorruptException | GoneException | IllegalArgumentException e) {
            throw session.explain(e, number, segment.position(segment.head));
        } finally {
            leave(segment);
        }
    }

    private RuntimeException absent(long sequence, long next) {
        String text = session.directory + ": there is no record " + sequence + "; the next one is " + next;
        if (session.readLimit() < Long.MAX_VALUE) {
            return new GoneException(
                    text + ", where reading ends after a power loss until a process opens the log for writing");
        }
        long first = session.starts.firstSequence(session.control.firstVolatile());
        return new IllegalArgumentException(text + (first == Ascending.UNKNOWN ? "" : ", the first one " + first));
    }

    /**
     * Returns the sequence of a segment's first record. For the first segment, and those found through it, this is known as
     * long as the segments exist.
     */
    private long knownBase(int number) {
        long base = session.starts.firstSequence(number);
        if (base == Ascending.UNKNOWN) {
            throw session.gone(Position.of(number, 0));
        }
        return base;
    }

    /** Returns how many records were committed before the first record that a live writer has open. */
    public long committedRecords(Segment standing) {
        held = standing;
        int number = session.starts.lastKnown();
        long base = knownBase(number);
        segment = enter(number);
        try {
            count.beginInBlock(segment, segment.rows.nearest(lastBlock()));
            count.walkOverDead(session.readEnd(segment), Long.MAX_VALUE);
            session.checkNotVoid(number, segment.position(segment.head));
            AccessErrors.deliver();
            return base + count.records();
        } catch (InternalError e) {
            throw session.faults.readFailed(e, segment);
        } catch (CorruptException e) {
            throw session.explain(e, number, segment.position(segment.head));
        } finally {
            leave(segment);
        }
    }

    /** Returns the position of the first record that may have been appended at a time or later. */
    public long positionOfTime(long millis, Segment standing) {
        held = standing;
        if (millis > Math.max(session.storage.currentTimeMillis(), session.control.timeMillis())) {
            return session.endPosition();
        }
        segment = enter(session.starts.segmentOfTime(millis));
        try {
            int block = timesOfRows.lastBelow(millis, 0, lastBlock());
            count.beginInBlock(segment, segment.rows.nearest(block));
            long upTo = Math.min((long) block << SegmentLayout.BLOCK_SHIFT, session.readEnd(segment));
            count.walkOverDead(upTo, Long.MAX_VALUE);
            AccessErrors.deliver();
            return segment.position(count.offset());
        } catch (InternalError e) {
            throw session.faults.readFailed(e, segment);
        } catch (CorruptException e) {
            throw session.explain(e, segment.number, segment.position(segment.head));
        } finally {
            leave(segment);
        }
    }

    private int lastBlock() {
        boolean ended = segment.number < session.control.tailAcquire();
        return ended ? segment.rows.count() - 1 : (int) (segment.hintAfter(segment.head) >>> SegmentLayout.BLOCK_SHIFT);
    }

    private Segment enter(int number) {
        segments.requireHeadInMemory(number);
        boolean isHeld = held.number == number && !segments.isDropped(number);
        Segment entered =
                isHeld ? held : segments.enter(lane, number).orElseThrow(() -> session.gone(Position.of(number, 0)));
        if (headOf != number) {
            bringInHead(entered);
        }
        return entered;
    }

    private void bringInHead(Segment entered) {
        try {
            segments.bringInHead(entered);
            headOf = entered.number;
        } catch (RuntimeException | Error e) {
            leave(entered);
            throw e;
        }
    }

    private void leave(Segment entered) {
        if (entered != held) {
            segments.leave(lane, entered);
            count.leaveSegment();
        }
    }
}
