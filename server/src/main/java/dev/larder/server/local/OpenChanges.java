package dev.larder.server.local;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which changes of several steps are under way, told to reads that take no lock. A read that saw no change open, and none begun
 * meanwhile, has seen each of them whole or not at all.
 *
 * <pre>
 * change   begun + 1 | step | step | ended + 1
 * read     ended = begun? | look | begun as before?       else it looks again, under the lock of its slot
 * </pre>
 *
 * The change holds the locks of all slots that it touches, from before its begin until after its end.
 */
final class OpenChanges {

    /** What {@link #begunIfNoneOpenAcquire} returns where a change is open. */
    static final long OPEN = -1;

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();

    /** Begins a change: whoever sees one of its steps sees this before. */
    void beginVolatile() {
        begun.getAndIncrement();
        VarHandle.storeStoreFence(); // no step is seen before this
    }

    /** Ends a change: whoever sees this sees all of its steps. */
    void endVolatile() {
        ended.getAndIncrement();
    }

    /** Returns how many changes have begun, if all have ended; else {@link #OPEN}. What is read behind it has their steps. */
    long begunIfNoneOpenAcquire() {
        long before = ended.getAcquire(); // first: so none was open at this moment if the numbers are equal
        return begun.getAcquire() == before ? before : OPEN;
    }

    /** Returns whether no change has begun since so many had, up to behind the last look of the caller. */
    boolean hasNoneBegunSinceLoads(long before) {
        VarHandle.loadLoadFence(); // every look comes before this one
        return begun.getOpaque() == before;
    }
}
