package dev.larder.log;

import dev.larder.log.Pins.Lane;
import java.util.Optional;

/**
 * A walk along the chain to its settled end: the first word that is FREE or RESERVED, or the last segment's END. What lies before it never
 * changes. The walk seals the full blocks that it leaves behind, and remembers where it stands. One thread at a time.
 */
final class SettledWalk {

    private final Segments segments;
    private final Lane lane = new Lane();
    private final boolean sealing;
    private Segment segment;
    private long offset;
    private int unsealed;
    private boolean ended;

    SettledWalk(Segments segments, long from, boolean sealing) {
        this.segments = segments;
        this.sealing = sealing;
        this.segment = segments.enterKnown(lane, Position.segment(from));
        this.offset = Math.max(Position.offset(from), segment.head);
        this.unsealed = (int) (offset >>> SegmentLayout.BLOCK_SHIFT);
    }

    Segment segment() {
        return segment;
    }

    long offset() {
        return offset;
    }

    /** Returns the settled end as the walk last saw it. */
    long position() {
        return segment.position(offset);
    }

    /** Returns the word that the walk stands before: FREE, RESERVED or END, or what came since. */
    long word() {
        return segment.wordAcquire(offset);
    }

    /** Walks to the settled end, over as many segments as there are. */
    void advance(long durable) {
        while (advanceInSegment(durable) && enterNext()) {
            assert offset == segment.head;
        }
    }

    /** Walks to the settled end of this segment; returns whether that is its END, before which it then stays. */
    private boolean advanceInSegment(long durable) {
        long at = offset;
        long word = segment.wordAcquire(at);
        while (RecordWord.state(word) > RecordWord.RESERVED && !RecordWord.isEnd(word)) {
            at = segment.next(at, word);
            if (at >>> SegmentLayout.BLOCK_SHIFT > unsealed) {
                seal(at, durable, false);
            }
            word = segment.wordAcquire(at);
        }
        offset = at;
        if (RecordWord.isEnd(word) && !ended) {
            seal(at + RecordWord.BYTES, durable, true);
            ended = true;
        }
        return ended;
    }

    private boolean enterNext() {
        Optional<Segment> next = segments.enterNext(lane, segment);
        next.ifPresent(entered -> {
            segment = entered;
            offset = entered.head;
            unsealed = 0;
            ended = false;
        });
        return next.isPresent();
    }

    /** Seals what the walk has passed and no full block covers, before it is flushed. */
    void sealRest(long durable) {
        if (!ended) {
            seal(offset, durable, true);
        }
    }

    /** Seals the full blocks below an offset, and the rest up to it if asked. */
    private void seal(long end, long durable, boolean rest) {
        if (!sealing) {
            return;
        }
        long durableOffset = Position.segment(durable) == segment.number ? Position.offset(durable) : 0;
        while (unsealed < end >>> SegmentLayout.BLOCK_SHIFT) {
            long blockEnd = (long) (unsealed + 1) << SegmentLayout.BLOCK_SHIFT;
            Seals.write(segment, unsealed, blockEnd, durableOffset);
            segment.verified.add(unsealed++);
        }
        if (rest && (end & SegmentLayout.BLOCK_BYTES - 1) != 0 && end > segment.head) {
            Seals.write(segment, unsealed, end, durableOffset);
        }
    }

    void close() {
        segments.leave(lane, segment);
    }
}
