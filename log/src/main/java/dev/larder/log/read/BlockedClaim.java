package dev.larder.log.read;

import dev.larder.log.FlightEvents;
import dev.larder.log.LogCounter;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import java.util.Optional;

/** A reader's stand before a claim that is not committed: after 1 ms, and then every 1 ms, it asks who holds it up. */
public final class BlockedClaim {

    public static final long LOOK_NANOS = 1_000_000;

    private final LogSession session;
    private long position = -1;
    private long lookAtNanos;

    public BlockedClaim(LogSession session) {
        this.session = session;
    }

    /**
     * Returns where to go on: at the claim's own offset, where its word has changed; behind it, where the session is read-only
     * and the claim's writer is dead; -1 where it still holds the reader up. The claim is resolved if it has stood for long
     * enough and its writer is dead. A read-only session, which changes nothing, asks at once: who reads to the end of a log
     * that nobody writes does not come back.
     */
    public long pass(Segment segment, long at, long word) {
        boolean isNew = position != segment.position(at);
        long now = session.storage.nanoTime();
        if (isNew) {
            position = segment.position(at);
            lookAtNanos = session.isReadOnly() ? now : now + LOOK_NANOS;
        }
        if (now - lookAtNanos < 0) {
            return -1;
        }
        lookAtNanos = now + LOOK_NANOS;
        return passNow(segment, at, word);
    }

    /** Does what {@link #pass} does, however short the claim has stood. */
    long passNow(Segment segment, long at, long word) {
        if (session.isReadOnly()) {
            return passAbandoned(segment, at, word);
        }
        return resolve(segment, at, word) ? at : -1;
    }

    private long passAbandoned(Segment segment, long at, long word) {
        if (session.view().isAbandoned(segment, at, word)) {
            return segment.next(at, word);
        }
        return segment.wordAcquire(at) != word ? at : -1;
    }

    private boolean resolve(Segment segment, long at, long word) {
        Optional<BlockedClaimEvent> event = FlightEvents.ifRecorded(BlockedClaimEvent::start);
        boolean changed = session.writing().claims().resolve(segment, at, word);
        boolean isDead = changed && RecordWord.state(segment.wordAcquire(at)) == RecordWord.PADDING;
        event.ifPresent(told -> told.finish(segment.position(at), word, isDead));
        session.counters.add(LogCounter.STALLS, 1);
        return changed;
    }
}
