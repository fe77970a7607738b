package dev.larder.server.local;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells reads that take no lock whether changes of several steps are under way. A read that saw no change open, and none begun
 * meanwhile, has seen each change as a whole or not at all.
 *
 * <pre>
 * change   begun + 1 | step | step | ended + 1
 * read     ended = begun? | look | begun as before?       else it looks again, under the lock of its slot
 * </pre>
 *
 * The change holds the locks of all slots that it touches, from before its begin until after its end.
 */
final class OpenChanges {

    /** The result of {@link #begunIfNoneOpenAcquire} while a change is open. */
    static final long OPEN = -1;

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();

    /** Begins a change: a thread that sees one of its steps also sees this. */
    void beginVolatile() {
        begun.getAndIncrement();
        VarHandle.storeStoreFence(); // no step is seen before this
    }

    /** Ends a change: a thread that sees this also sees all of its steps. */
    void endVolatile() {
        ended.getAndIncrement();
    }

    /** Returns how many changes have begun, if all have ended; else {@link #OPEN}. Later reads see the steps of those changes. */
    long begunIfNoneOpenAcquire() {
        long before = ended.getAcquire(); // first: so none was open at this moment if the numbers are equal
        return begun.getAcquire() == before ? before : OPEN;
    }

    /** Returns whether no change has begun since this many had, up to behind the last read of the caller. */
    boolean hasNoneBegunSinceLoads(long before) {
        VarHandle.loadLoadFence(); // every read comes before this one
        return begun.getOpaque() == before;
    }
}
