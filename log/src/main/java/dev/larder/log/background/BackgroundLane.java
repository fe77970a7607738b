package dev.larder.log.background;

import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.Pins.Lane;

/**
 * The lane of the background task. It stands in the tail segment while the task works, and nowhere while it sleeps. Otherwise
 * the pin of a process that only reads would keep files from being used again.
 */
final class BackgroundLane {

    private final Segments segments;
    private final ControlFile control;
    private final Lane lane = new Lane();
    private Segment segment;
    private boolean standing;
    private boolean ended;

    BackgroundLane(Segments segments, ControlFile control) {
        this.segments = segments;
        this.control = control;
        this.segment = segments.enterTail(lane);
        segments.leavePin(lane); // the task may never be started
    }

    /** Returns the segment that the lane stands in, or stood in last. */
    Segment segment() {
        return segment;
    }

    /** Returns whether a pin covers {@link #segment}: only then may its bytes be touched. */
    boolean isStanding() {
        return standing;
    }

    /** Comes back into the log after {@link #leave}; returns whether the lane is now in another segment. */
    boolean comeBack() {
        if (standing) {
            return false;
        }
        Segment left = segment;
        try {
            segment = segments.comeBack(lane, left);
            standing = true;
        } finally {
            if (!standing) {
                segments.leavePin(lane); // after an error; the pin would stay where the segment is gone
            }
        }
        return segment != left;
    }

    /** Returns whether the tail has moved to a later segment. */
    boolean isBehind() {
        return segment.number < control.tailAcquire();
    }

    /**
     * Returns whether no record is behind a position. Maps nothing: where the tail is in another segment, the answer is false.
     * Stores nothing, not even a pin: otherwise the system would write a page of each idle log again and again. The words that
     * were read are valid only if the segment was not dropped meanwhile.
     */
    boolean isEnd(long position) {
        if (isBehind() || Position.segment(position) != segment.number) {
            return false;
        }
        long offset = Math.max(segment.head, Position.offset(position));
        return segment.isPlace(offset)
                && segment.wordAcquire(offset) == RecordWord.FREE
                && !segments.isDropped(segment.number);
    }

    /** Goes to the next segment, or rejoins the log where that was dropped. */
    void moveOn() {
        Segment left = segment;
        segment = segments.enterNext(lane, left).orElseGet(() -> segments.rejoin(lane, left));
    }

    /** Gives up the pin; the mapping stays. */
    void leave() {
        if (standing) {
            standing = false;
            segments.leavePin(lane);
        }
    }

    /** Leaves the segment for good, once. */
    void end() {
        standing = false;
        if (!ended) {
            ended = true;
            segments.leave(lane, segment);
        }
    }
}
