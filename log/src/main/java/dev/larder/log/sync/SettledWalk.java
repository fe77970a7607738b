package dev.larder.log.sync;

import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.segment.Seals;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.Crc32c;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A walk along the chain to its settled end: the first word that is FREE or RESERVED, or the last segment's END. The words
 * before it never change. The walk seals the full blocks that it leaves behind, stores their index, and remembers where it
 * stands. One thread at a time.
 *
 * <p>Between two walks it is in no segment: otherwise a process that never syncs would pin the segment that it was opened in.
 */
public final class SettledWalk {

    private final Segments segments;
    private final ControlFile control;
    private final Lane lane = new Lane();

    /** Computes the checks of seals; null where the walk makes none. */
    private final @Nullable Crc32c check;

    private final Indexing indexing = new Indexing();
    private @Nullable Segment entered;
    private long last = -1;
    private long offset;
    private int unsealed;
    private boolean ended;

    public SettledWalk(Segments segments, ControlFile control, boolean sealing) {
        this.segments = segments;
        this.control = control;
        this.check = sealing ? new Crc32c() : null;
    }

    /** Continues where the last walk was, or where others have come since. Must be followed by {@link #rest}. */
    public void resume() {
        long start = control.settledStart();
        Segment segment = segments.enterAtOrAfter(lane, Position.segment(Math.max(last, start)));
        entered = segment;
        if (last < start || Position.segment(last) != segment.number) {
            stand(Position.segment(start) == segment.number ? Position.offset(start) : 0);
        }
    }

    private void stand(long at) {
        offset = Math.max(at, segment().head);
        unsealed = (int) (offset >>> SegmentLayout.BLOCK_SHIFT);
        ended = false;
    }

    /** Leaves the log until the next walk. */
    public void rest() {
        Segment left = entered;
        if (left != null) {
            last = left.position(offset);
            entered = null;
            segments.leave(lane, left);
        }
    }

    public Segment segment() {
        return Objects.requireNonNull(entered);
    }

    public long offset() {
        return offset;
    }

    /** Returns the settled end as the walk last saw it. */
    long position() {
        return segment().position(offset);
    }

    /** Returns the word before which the walk stands: FREE, RESERVED or END, or a word that came since. */
    public long word() {
        return segment().wordAcquire(offset);
    }

    /** Walks to the settled end, through all segments that there are. */
    public void advance(long durable) {
        while (advanceInSegment(durable) && enterNext()) {
            assert offset == segment().head;
        }
    }

    /** Walks to the settled end of this segment. Returns whether that is its END, before which the walk then stays. */
    private boolean advanceInSegment(long durable) {
        Segment segment = segment();
        indexing.resume(segment, offset);
        long at = offset;
        long word = segment.wordAcquire(at);
        while (RecordWord.state(word) > RecordWord.RESERVED && !RecordWord.isEnd(word)) {
            at = segment.next(at, word);
            indexing.passed(segment, word, at);
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

    /** Enters the next segment, or the first one if others have dropped the next one meanwhile. */
    private boolean enterNext() {
        Segment left = segment();
        long records = indexing.recordsUpToEnd(left); // before the segment is left: nothing keeps its mapping then
        Optional<Segment> next = segments.enterLater(lane, left);
        if (next.isPresent()) {
            arrive(next.get());
            indexing.enter(next.get(), records);
            return true;
        }
        boolean dropped = segments.isDropped(left.number + 1);
        if (dropped) {
            arrive(segments.rejoinFirst(lane, left));
        }
        return dropped;
    }

    /** Is called right after the lane has moved: after any error, {@link #rest} leaves the segment that the lane is in. */
    private void arrive(Segment segment) {
        entered = segment;
        stand(segment.head);
    }

    /** Seals the range that the walk has passed and no full block covers, before it is flushed. */
    void sealRest(long durable) {
        if (!ended) {
            seal(offset, durable, true);
        }
    }

    /** Seals the full blocks below an offset, and the rest up to it if asked. */
    private void seal(long end, long durable, boolean rest) {
        Crc32c kept = check;
        if (kept == null) {
            return;
        }
        Segment segment = segment();
        long durableOffset = Position.segment(durable) == segment.number ? Position.offset(durable) : 0;
        while (unsealed < end >>> SegmentLayout.BLOCK_SHIFT) {
            long blockEnd = (long) (unsealed + 1) << SegmentLayout.BLOCK_SHIFT;
            Seals.extend(segment, unsealed, blockEnd, durableOffset, kept);
            segment.verified.add(unsealed++);
        }
        if (rest && (end & SegmentLayout.BLOCK_BYTES - 1) != 0 && end > segment.head) {
            Seals.extend(segment, unsealed, end, durableOffset, kept);
        }
    }
}
