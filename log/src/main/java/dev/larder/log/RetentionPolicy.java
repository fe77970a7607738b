package dev.larder.log;

import dev.larder.log.Pins.Lane;
import dev.larder.memory.Storage;
import java.time.Duration;
import java.util.Optional;

/**
 * Which segments may go. Bytes are absolute; age lets go only what nobody holds back.
 *
 * <p>A segment has no note of when its last record came. It had ended when the first record of the next one was claimed,
 * whose time stands in that one's rows; where a loss of power took it, a later time serves. So nothing goes too early,
 * however long ago the segments behind it were made and prepared.
 */
final class RetentionPolicy {

    private final LogRetention retention;
    private final Storage storage;
    private final Segments segments;
    private final ControlFile control;
    private final Holds holds;
    private final RetainedBytes retained;

    RetentionPolicy(LogRetention retention, Storage storage, Segments segments, ControlFile control, Holds holds) {
        this.retention = retention;
        this.storage = storage;
        this.segments = segments;
        this.control = control;
        this.holds = holds;
        this.retained = new RetainedBytes(segments);
    }

    boolean isNone() {
        return retention.isNone();
    }

    /** Returns whether the segments take more bytes than they may. */
    boolean isExceeded() {
        return retention.bytes().isPresent()
                && retained.upTo(control.firstVolatile(), control.tailAcquire())
                        > retention.bytes().getAsLong();
    }

    /** Returns whether a segment, the first there is, may go. */
    boolean letsGo(int number) {
        return isExceeded() || (retention.age().isPresent() && isPassed(number) && isOld(number));
    }

    private boolean isPassed(int number) {
        return Position.segment(holds.lowestHeld()) > number;
    }

    private boolean isOld(int number) {
        Duration age = retention.age().orElseThrow();
        return age.isZero() || endedMillis(number) < storage.currentTimeMillis() - age.toMillis();
    }

    /** Returns a time after a segment's last record; that of the end of days while none is known. */
    private long endedMillis(int number) {
        long millis = 0;
        for (int later = number + 1; millis == 0 && later <= control.tailAcquire(); later++) {
            millis = firstTimeMillis(later);
        }
        return millis == 0 ? Long.MAX_VALUE : millis;
    }

    private long firstTimeMillis(int number) {
        Lane lane = new Lane();
        Optional<Segment> there = segments.enter(lane, number);
        if (there.isEmpty()) {
            return 0;
        }
        try {
            return there.get().rows.firstTimeMillis();
        } finally {
            segments.leave(lane, there.get());
        }
    }
}
