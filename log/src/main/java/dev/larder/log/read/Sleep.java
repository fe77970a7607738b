package dev.larder.log.read;

import dev.larder.log.LogCounter;
import dev.larder.log.WaitStrategy;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.memory.Words;
import java.util.concurrent.locks.LockSupport;

/** A reader's sleep before a word that is not written yet: until a writer wakes it, or until its next poll. */
public final class Sleep {

    private final LogSession session;
    private final WaitStrategy strategy;
    private long position = -1;
    private long startNanos;

    public Sleep(LogSession session, WaitStrategy strategy) {
        this.session = session;
        this.strategy = strategy;
    }

    /** Sleeps until the word at an offset may have changed, at most for the given time; never long before a claim. */
    public void before(Segment segment, long offset, long nanos) {
        long word = segment.wordAcquire(offset);
        if (RecordWord.state(word) == RecordWord.RESERVED) {
            sleep(segment, offset, word, Math.min(nanos, BlockedClaim.LOOK_NANOS), 0);
        } else {
            session.counters.add(LogCounter.WAITS, 1);
            sleep(segment, offset, word, nanos, waitedNanos(segment.position(offset)));
        }
    }

    /** Returns how long the reader has waited at its position, in this call and in those before. */
    private long waitedNanos(long at) {
        long now = session.storage.nanoTime();
        if (position != at) {
            position = at;
            startNanos = now;
        }
        return now - startNanos;
    }

    private void sleep(Segment segment, long offset, long seen, long nanos, long waited) {
        if (strategy.kind() == WaitStrategy.Kind.PARK) {
            LockSupport.parkNanos(Math.min(nanos, strategy.interval().toNanos()));
        } else if (mayBeWoken()) {
            untilWoken(segment, offset, seen, nanos, waited);
        } else {
            LockSupport.parkNanos(Math.min(nanos, Backoff.nanos(waited)));
        }
    }

    /**
     * Returns whether a writer can wake this reader. A read-only session cannot request that; a virtual thread would hold its
     * carrier while it sleeps.
     */
    private boolean mayBeWoken() {
        return !session.isReadOnly()
                && session.storage.isNative()
                && !Thread.currentThread().isVirtual();
    }

    private void untilWoken(Segment segment, long offset, long seen, long nanos, long waited) {
        int announced = session.wake.announce();
        if (Words.getVolatile(segment.memory, offset) == seen && !hasNext(segment, seen)) {
            session.wake.sleep(announced, nanos, waited);
        }
    }

    private boolean hasNext(Segment segment, long word) {
        return RecordWord.isEnd(word) && session.control.tailAcquire() > segment.number;
    }
}
