package dev.larder.log.read;

import dev.larder.log.GoneException;
import dev.larder.log.Position;
import dev.larder.log.context.LogSession;
import dev.larder.log.context.StartsOfSegments;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.segment.Ascending;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.CorruptException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The sequence and the time with which each segment begins. Neither changes once it is known, so a process remembers both and
 * reads no file twice. A search among a thousand segments maps ten of them, once.
 */
public final class SegmentStarts implements StartsOfSegments {

    private static final long UNKNOWN = Ascending.UNKNOWN;

    private final LogSession session;
    private final Segments segments;
    private final Lane lane = new Lane();
    private final int origin;
    private final Ascending basesOfSegments = this::firstSequence;
    private final Ascending timesOfSegments = this::firstTimeMillis;
    private long[] bases = new long[16];
    private long[] times = new long[16];

    public SegmentStarts(LogSession session) {
        this.session = session;
        this.segments = session.segments;
        this.origin = session.control.firstVolatile();
    }

    @Override
    public synchronized int segmentOfSequence(long sequence) {
        int first = session.control.firstVolatile();
        long oldest = firstSequence(first);
        if (sequence < oldest) {
            throw new GoneException(
                    session.directory + ": record " + sequence + " was dropped; the first is " + oldest);
        }
        long behind = Math.min(sequence, Long.MAX_VALUE - 1) + 1; // a caller may ask for the largest number there is
        return basesOfSegments.lastBelow(behind, first, last());
    }

    @Override
    public synchronized int segmentOfTime(long millis) {
        int first = session.control.firstVolatile();
        return timesOfSegments.lastBelow(millis, first, last());
    }

    @Override
    public synchronized int lastKnown() {
        int number = last();
        while (firstSequence(number) == UNKNOWN) {
            number--;
        }
        return number;
    }

    /** Returns the last segment that may be read. */
    private int last() {
        return Math.min(session.control.tailAcquire(), Position.segment(session.readLimit()));
    }

    /**
     * Returns how many records were committed before a segment, and stores that in the segment's header. Returns
     * {@link Ascending#UNKNOWN} while an earlier claim is not settled.
     *
     * @throws CorruptException when the count is damaged in the first segment, and missing in all behind it
     */
    @Override
    public synchronized long firstSequence(int number) {
        long remembered = get(bases, number);
        return remembered != UNKNOWN ? remembered : findBase(number);
    }

    private long findBase(int number) {
        int first = session.control.firstVolatile();
        if (number < first) {
            throw session.gone(Position.of(number, 0));
        }
        int known = number;
        while (known > first && knownBase(known) == UNKNOWN) {
            known--;
        }
        long base = knownBase(known) == UNKNOWN ? baseFromAbove(known) : knownBase(known);
        for (int at = known; at < number && base != UNKNOWN; at++) {
            long records = recordsIn(at);
            base = records == UNKNOWN ? UNKNOWN : base + records;
            noteBase(at + 1, base);
        }
        return base;
    }

    private long knownBase(int number) {
        long known = get(bases, number);
        return known != UNKNOWN ? known : noteBase(number, ask(number, segment -> segment.rows.baseSequence()));
    }

    private long noteBase(int number, long base) {
        if (base != UNKNOWN) {
            bases = put(bases, number, base);
            ask(number, segment -> {
                segment.rows.baseSequence(base);
                return base;
            });
        }
        return base;
    }

    /**
     * Computes the base of the first segment, whose header is damaged: the base of the next known one, less the records in
     * between.
     */
    private long baseFromAbove(int first) {
        long between = 0;
        long records = recordsIn(first);
        for (int at = first; records != UNKNOWN && at < session.control.tailAcquire(); at++) {
            between += records;
            long above = knownBase(at + 1);
            if (above != UNKNOWN) {
                return noteBase(first, above - between);
            }
            records = recordsIn(at + 1);
        }
        if (segments.isDropped(first)) {
            throw session.gone(Position.of(first, 0)); // dropped while it was counted
        }
        throw new CorruptException(segments.files().path(first) + ": the base sequence in its header, at "
                + SegmentLayout.BASE_SEQUENCE + ", is damaged, and no later segment has one: records have no sequence");
    }

    /** Returns the records of a segment that has ended; unknown while a live writer has a record open. */
    private long recordsIn(int number) {
        return ask(number, segment -> {
            RecordCount count = new RecordCount(session, segment);
            count.beginInBlock(segment, segment.rows.nearest(segment.rows.count() - 1));
            count.walkOverDead(segment.limit, Long.MAX_VALUE);
            return RecordWord.isEnd(segment.wordAcquire(count.offset())) ? count.records() : UNKNOWN;
        });
    }

    private long firstTimeMillis(int number) {
        long known = get(times, number);
        if (known != UNKNOWN) {
            return known;
        }
        long millis = ask(number, segment -> segment.rows.firstTimeMillis());
        if (millis > 0) {
            times = put(times, number, millis);
        }
        return millis > 0 ? millis : UNKNOWN;
    }

    private long ask(int number, ToLongFunction<Segment> question) {
        segments.requireHeadInMemory(number);
        Optional<Segment> segment = segments.enter(lane, number);
        if (segment.isEmpty()) {
            return UNKNOWN;
        }
        try {
            long answer = question.applyAsLong(segment.get());
            AccessErrors.deliver();
            return unlessVoid(number, answer);
        } catch (InternalError e) {
            throw session.faults.readFailed(e, number);
        } catch (CorruptException e) {
            if (unlessVoid(number, 0) == UNKNOWN) {
                return UNKNOWN;
            }
            throw e;
        } finally {
            segments.leave(lane, segment.get());
        }
    }

    /**
     * Returns the answer, unless it may be void: without a pin, bytes of a segment dropped meanwhile may be of its file's next
     * life.
     */
    private long unlessVoid(int number, long answer) {
        return session.isReadOnly() && segments.isDropped(number) ? UNKNOWN : answer;
    }

    /** Returns a remembered value. The values are stored plus one, so that 0 means that a value was not read yet. */
    private long get(long[] known, int number) {
        int index = number - origin;
        return index >= 0 && index < known.length ? known[index] - 1 : UNKNOWN;
    }

    private long[] put(long[] known, int number, long value) {
        int index = number - origin;
        long[] room = index < known.length ? known : Arrays.copyOf(known, index * 2);
        room[index] = value + 1;
        return room;
    }
}
