package dev.larder.log;

import dev.larder.memory.SharedWait;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Sleeping until something is committed, without a lost wake and without a system call in the writer when nobody
 * sleeps.
 *
 * <p>A reader loads {@code sequence}, stores {@code needed = 1}, looks at its record once more, and sleeps while
 * {@code sequence} stands. A writer commits, then loads {@code needed}; if it is 1 it takes it back to 0, raises
 * {@code sequence} and wakes all. Every one of these is sequentially consistent. Whoever takes the reader's
 * {@code needed} back raises {@code sequence} after the reader loaded it; while nobody has, a writer whose commit the
 * second look has missed sees it. Loaded after the store, {@code sequence} could be one that was raised for a commit
 * which the reader knows, and it would sleep with nobody owing it a wake ({@code models/wake.pml}). A writer
 * killed between its commit and its wake leaves a sleeper asleep until the next look, or the next commit: a sleeper
 * looks every 10 ms at first, and every 250 ms once it has waited for two seconds, since an idle queue should cost nothing.
 */
final class Wake {

    private static final long IDLE_AFTER_NANOS = 2_000_000_000;
    private static final long LOOK_NANOS = 10_000_000;
    private static final long IDLE_LOOK_NANOS = 250_000_000;

    private final MemorySegment control;
    private final SharedWait wait;

    Wake(ControlFile control, SharedWait wait) {
        this.control = control.memory;
        this.wait = wait;
    }

    /** SYNC POINT: wake. Called after each commit. */
    void committed() {
        if (Words.getIntVolatile(control, ControlLayout.WAKE_NEEDED) != 0) {
            wakeAll();
        }
    }

    void wakeAll() {
        if (Words.compareAndSetInt(control, ControlLayout.WAKE_NEEDED, 1, 0)) {
            Words.getAndAddInt(control, ControlLayout.WAKE_SEQUENCE, 1);
            wait.wakeAll(control, ControlLayout.WAKE_SEQUENCE);
        }
    }

    /** SYNC POINT: wake. Announces a sleeper; the caller looks at its record again before it sleeps. */
    int announce() {
        int sequence = Words.getIntVolatile(control, ControlLayout.WAKE_SEQUENCE);
        Words.setIntVolatile(control, ControlLayout.WAKE_NEEDED, 1);
        return sequence;
    }

    /** Sleeps until woken, for at most a time; {@code waitedNanos} is how long it has waited already. */
    void sleep(int announced, long nanos, long waitedNanos) {
        long look = waitedNanos < IDLE_AFTER_NANOS ? LOOK_NANOS : IDLE_LOOK_NANOS;
        wait.await(control, ControlLayout.WAKE_SEQUENCE, announced, Math.min(nanos, look));
    }
}
