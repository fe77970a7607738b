package dev.larder.log.read;

import dev.larder.log.FlightEvents;
import dev.larder.log.LogCounter;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import java.util.Optional;

/** A reader's wait before an uncommitted claim: after 1 ms, and then every 1 ms, it checks whether the claim's writer lives. */
public final class BlockedClaim {

    public static final long LOOK_NANOS = 1_000_000;

    private final LogSession session;
    private long position = -1;
    private long lookAtNanos;

    public BlockedClaim(LogSession session) {
        this.session = session;
    }

    /**
     * Returns where to continue. That is the claim's own offset where its word has changed. It is the offset behind the claim
     * where the session is read-only and the claim's writer is dead. Returns -1 where the claim still holds the reader up. A
     * claim that has stood for long enough and whose writer is dead is resolved. A read-only session, which changes nothing,
     * checks at once: a reader that only reads to the end of an unwritten log does not come back.
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
        if (!session.isReadOnly()) {
            session.counters.add(LogCounter.STALLS, 1);
        }
        return passNow(segment, at, word);
    }

    /**
     * Does what {@link #pass} does, but without waiting until the claim has stood for some time. So it does not count a claim
     * that was just being filled as a stall.
     */
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
        return changed;
    }
}
