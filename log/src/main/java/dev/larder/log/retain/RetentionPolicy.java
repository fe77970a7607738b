package dev.larder.log.retain;

import dev.larder.log.LogLayout;
import dev.larder.log.LogRetention;
import dev.larder.log.Position;
import dev.larder.log.segment.BlockRows;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.Storage;
import java.time.Duration;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Decides which segments may go. The limit of bytes is absolute; age lets only those segments go that no hold keeps.
 *
 * <p>A segment does not record when its last record came. It had ended when the first record of the next segment was claimed,
 * and the next segment's rows have that time. Where a loss of power took that time, a later one serves. So nothing goes too
 * early, however long ago the later segments were made and prepared.
 *
 * <p>That time never goes back: after a jump of a clock into the future it stands still until real time has caught up. While
 * it lies in the future, the policy uses the clock of the writer that began the next segment.
 */
public final class RetentionPolicy {

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
        long now = storage.currentTimeMillis();
        return age.isZero() || endedMillis(number, now) < now - age.toMillis();
    }

    /** Returns a time after a segment's last record; {@code Long.MAX_VALUE} while none is known. */
    private long endedMillis(int number, long now) {
        long ended = Long.MAX_VALUE;
        for (int later = number + 1; ended > now && later <= control.tailAcquire(); later++) {
            long told = ask(later, BlockRows::firstTimeMillis);
            if (told > now) {
                ended = beganMillis(number, later, now);
            } else if (told != 0) {
                ended = told;
            }
        }
        return ended;
    }

    /** Returns the time at which a later segment was begun, by its writer's clock, but not less than that of this segment. */
    private long beganMillis(int number, int later, long now) {
        long began = ask(later, BlockRows::beganMillis);
        if (began == 0 || began > now) {
            return Long.MAX_VALUE;
        }
        long before = ask(number, BlockRows::beganMillis);
        return before > now ? began : Math.max(before, began);
    }

    /** Returns a time from a segment's rows; 0 where the segment is not there. */
    private long ask(int number, ToLongFunction<BlockRows> question) {
        Lane lane = new Lane();
        Optional<Segment> there = segments.enter(lane, number);
        if (there.isEmpty()) {
            return 0;
        }
        try {
            return question.applyAsLong(there.get().rows);
        } finally {
            segments.leave(lane, there.get());
        }
    }

    /**
     * Returns the largest segment that leaves most of a retention's bytes in the log when the oldest segment goes. It is a
     * quarter of them, as a power of two, or half of them where that is 2 MiB or less. The greatest number where there is no
     * bound.
     */
    public static long segmentBytesMost(LogRetention retention) {
        if (retention.bytes().isEmpty()) {
            return Long.MAX_VALUE;
        }
        long bytes = retention.bytes().getAsLong();
        return Math.max(
                Long.highestOneBit(bytes / 4),
                Math.min(LogLayout.FIRST_SEGMENT_DEFAULT_BYTES, Long.highestOneBit(bytes / 2)));
    }
}
