package dev.larder.log;

import dev.larder.log.LogCounters.Counter;
import java.util.Optional;

/** A reader's stand before a claim that is not committed: after 1 ms, and then every 1 ms, it asks who holds it up. */
final class Stall {

    static final long LOOK_NANOS = 1_000_000;

    private final LogSession session;
    private long position = -1;
    private long lookAtNanos;

    Stall(LogSession session) {
        this.session = session;
    }

    /** Resolves the claim if it has stood for long enough and its writer is dead; returns whether the word changed. */
    boolean resolve(Segment segment, long at, long word) {
        if (session.isReadOnly()) {
            return false;
        }
        long now = session.storage.nanoTime();
        if (position != segment.position(at)) {
            position = segment.position(at);
            lookAtNanos = now + LOOK_NANOS;
        }
        if (now - lookAtNanos < 0) {
            return false;
        }
        lookAtNanos = now + LOOK_NANOS;
        return ask(segment, at, word);
    }

    private boolean ask(Segment segment, long at, long word) {
        Optional<StallEvent> event = FlightEvents.ifRecorded(StallEvent::start);
        boolean changed = session.writing().claims().resolve(segment, at, word);
        boolean isDead = changed && RecordWord.state(segment.wordAcquire(at)) == RecordWord.PADDING;
        event.ifPresent(told -> told.finish(position, word, isDead));
        session.counters.add(Counter.STALLS, 1);
        return changed;
    }
}
