package dev.larder.log.open;

import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.write.Claims;
import java.util.Optional;

/**
 * The claims that dead writers of one slot left in the unsettled part of the log: between the durable position and the first
 * unclaimed word. Other processes claim, commit and sync meanwhile.
 */
final class FormerClaims {

    private final Segments segments;
    private final ControlFile control;
    private final Claims claims;
    private final Lane lane = new Lane();

    FormerClaims(Segments segments, ControlFile control, Claims claims) {
        this.segments = segments;
        this.control = control;
        this.claims = claims;
    }

    /** Settles every claim of a slot. */
    void settle(int slot) {
        long start = control.settledStart();
        Segment segment = segments.enterAtOrAfter(lane, Position.segment(start));
        boolean there = segment.number == Position.segment(start);
        settle(slot, segment, there ? Math.max(Position.offset(start), segment.head) : segment.head);
        Optional<Segment> next = next(segment);
        while (next.isPresent()) {
            segment = next.get();
            settle(slot, segment, segment.head);
            next = next(segment);
        }
        segments.leave(lane, segment);
    }

    /**
     * Returns the next segment, or the log's first where other processes have dropped the next: a dropped segment was settled.
     */
    private Optional<Segment> next(Segment segment) {
        Optional<Segment> next = segments.enterLater(lane, segment);
        return next.isEmpty() && segments.isDropped(segment.number + 1)
                ? Optional.of(segments.rejoinFirst(lane, segment))
                : next;
    }

    /** Walks to the end of a segment's chain, and passes the claims of other writers. */
    private void settle(int slot, Segment segment, long from) {
        long at = from;
        long word = segment.wordAcquire(at);
        while (word != RecordWord.FREE && !RecordWord.isEnd(word)) {
            if (RecordWord.state(word) == RecordWord.RESERVED && RecordWord.owner(word) >>> 16 == slot) {
                claims.settle(segment, at, word);
            }
            at = segment.next(at, word);
            word = segment.wordAcquire(at);
        }
    }
}
