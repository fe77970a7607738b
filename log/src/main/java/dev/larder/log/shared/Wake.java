package dev.larder.log.shared;

import dev.larder.log.format.ControlLayout;
import dev.larder.memory.SharedWait;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Lets threads sleep until something is committed: without a lost wake, and without a system call in the writer while no
 * thread sleeps.
 *
 * <pre>
 * sleeper                                            writer
 * s = sequence                                       commit
 * raise needed to s + 1                              n = needed
 * look at the record once more                       0: done. Else add 1 to sequence, wake all,
 * sleep while sequence = s                           and take needed back, n to 0
 * </pre>
 *
 * <p>All of these accesses are sequentially consistent. While no waker has taken the sleeper's {@code needed} back, a writer
 * whose commit the second look has missed sees it. A waker that takes it back has raised {@code sequence} since the sleeper
 * loaded it, and woken all. If {@code sequence} were loaded after the store, it could be one that was raised for a commit
 * that the sleeper knows. Then the thread would sleep with no writer owing it a wake.
 *
 * <p>{@code needed} is taken back last, so a writer that is killed anywhere leaves its wake to the next commit. Only if none
 * comes does the sleeper find the record by itself ({@code models/wake.pml}). It looks every 10 ms at first, and every 250 ms
 * once it has waited for two seconds, since an idle queue should cost nothing.
 */
public final class Wake {

    private static final long IDLE_AFTER_NANOS = 2_000_000_000;
    private static final long LOOK_NANOS = 10_000_000;
    private static final long IDLE_LOOK_NANOS = 250_000_000;

    private final MemorySegment control;
    private final SharedWait wait;

    public Wake(ControlFile control, SharedWait wait) {
        this.control = control.memory;
        this.wait = wait;
    }

    /** SYNC POINT: wake. Called after each commit. */
    public void committed() {
        int needed = Words.getIntVolatile(control, ControlLayout.WAKE_NEEDED);
        if (needed != 0) {
            wakeAll(needed);
        }
    }

    private void wakeAll(int needed) {
        Words.getAndAddInt(control, ControlLayout.WAKE_SEQUENCE, 1);
        wait.wakeAll(control, ControlLayout.WAKE_SEQUENCE);
        Words.compareAndSetInt(control, ControlLayout.WAKE_NEEDED, needed, 0);
    }

    /**
     * SYNC POINT: wake. Announces a sleeper; the caller looks at its record again before it sleeps. {@code needed} is never
     * lowered. A waker that has seen the lower value would take back the value of a thread that sleeps on a later sequence.
     */
    public int announce() {
        int sequence = Words.getIntVolatile(control, ControlLayout.WAKE_SEQUENCE);
        int needed = neededFor(sequence);
        int there = Words.getIntVolatile(control, ControlLayout.WAKE_NEEDED);
        while ((there == 0 || needed - there > 0)
                && !Words.compareAndSetInt(control, ControlLayout.WAKE_NEEDED, there, needed)) {
            there = Words.getIntVolatile(control, ControlLayout.WAKE_NEEDED);
        }
        return sequence;
    }

    /** Returns one more than a sequence, but never 0. Two sequences have the same once in 2^32, which may cost one wake. */
    private static int neededFor(int sequence) {
        return sequence == -1 ? 1 : sequence + 1;
    }

    /** Sleeps until woken, for at most a time; {@code waitedNanos} is the time that the thread has waited already. */
    public void sleep(int announced, long nanos, long waitedNanos) {
        long look = waitedNanos < IDLE_AFTER_NANOS ? LOOK_NANOS : IDLE_LOOK_NANOS;
        wait.await(control, ControlLayout.WAKE_SEQUENCE, announced, Math.min(nanos, look));
    }
}
