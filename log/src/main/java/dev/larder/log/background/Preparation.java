package dev.larder.log.background;

import dev.larder.log.LogCounter;
import dev.larder.log.Position;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.Storage;
import java.util.Optional;

/**
 * Space ahead of the tail that is linked and present in memory before a writer comes to it. An append there costs its copy,
 * without page faults and block allocation. In a race with a saturated writer, preparing would only burn a core. So the
 * background prepares while writers are idle, step by step.
 */
public final class Preparation {

    /** The bytes that are prepared at a time. */
    static final long STEP_BYTES = 2L << 20;

    private static final long PAGE_BYTES = 4096;

    private final Storage storage;
    private final Segments segments;
    private final LockedPages locked;
    private final CountersFile counters;
    private long done;

    public Preparation(Storage storage, Segments segments, LockedPages locked, CountersFile counters) {
        this.storage = storage;
        this.segments = segments;
        this.locked = locked;
        this.counters = counters;
    }

    /** Prepares one step of the space up to {@code bytes} ahead of the tail; returns whether there is more to do. */
    public synchronized boolean step(long bytes) {
        Lane lane = new Lane();
        Segment tail = segments.enterTail(lane);
        try {
            long pages = (bytes + PAGE_BYTES - 1) & -PAGE_BYTES; // offsets are whole pages, for any number of bytes
            return stepFrom(tail, tail.hintAfter(tail.head) & -PAGE_BYTES, pages);
        } finally {
            segments.leave(lane, tail);
        }
    }

    /** Prepares a step from an offset on. The caller's lane stands at the tail, and so holds everything after it. */
    private boolean stepFrom(Segment segment, long from, long bytes) {
        long to = Math.min(segment.limit, from + bytes);
        long start = Math.max(from, doneIn(segment));
        if (start < to) {
            populate(segment, start, Math.min(to, start + STEP_BYTES));
            return true;
        }
        long left = bytes - (to - from);
        if (left <= 0) {
            return false;
        }
        Optional<Segment> next = segments.making().makeAhead(segment);
        return next.isPresent() && stepFromAndRelease(next.get(), left);
    }

    private boolean stepFromAndRelease(Segment next, long bytes) {
        try {
            return stepFrom(next, 0, bytes);
        } finally {
            segments.release(next);
        }
    }

    private long doneIn(Segment segment) {
        return Position.segment(done) > segment.number
                ? segment.limit
                : Position.segment(done) == segment.number ? Position.offset(done) : 0;
    }

    private void populate(Segment segment, long from, long to) {
        storage.populateForWrite(segment.memory.asSlice(from, to - from));
        locked.lock(segment, from, to);
        counters.add(LogCounter.POPULATED_BYTES, to - from);
        done = to == segment.limit ? Position.of(segment.number + 1, 0) : segment.position(to);
    }
}
