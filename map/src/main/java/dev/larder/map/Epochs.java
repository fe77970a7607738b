package dev.larder.map;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Who changes the index just now, so that no step is given out again that one of them may still look at.
 *
 * <pre>
 *  pin      line: 0 to the epoch (compare-and-set)   then look at the directory
 *  retire   take the step out of the directory       then note the epoch, and raise it
 *  reuse    when each line is 0, or above the epoch noted
 * </pre>
 *
 * Who pins after that finds the step nowhere.
 */
final class Epochs {

    private static final int LINES = 256;
    private static final int STRIDE = 8;
    private static final long PAUSE_NANOS = 20_000;

    private final AtomicLong epoch = new AtomicLong(1);
    private volatile boolean ended;
    private final AtomicLongArray lines = new AtomicLongArray(LINES * STRIDE);

    /** Returns a line that is the caller's until {@link #unpin}; -1 when nobody may change anything any more. */
    int pin() {
        int line = pinAnyway();
        if (ended) {
            unpin(line);
            return -1;
        }
        return line;
    }

    /** Pins although changes have ended, for who only looks. */
    int pinAnyway() {
        long now = epoch.get();
        int line = (int) Thread.currentThread().threadId() & (LINES - 1);
        int tries = 0;
        while (!lines.compareAndSet(line * STRIDE, 0, now)) {
            line = (line + 1) & (LINES - 1);
            if (++tries % LINES == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return line;
    }

    void unpin(int line) {
        lines.setRelease(line * STRIDE, 0);
    }

    /** Ends the present epoch and returns it: who pins from now on sees all that was stored before. */
    long advance() {
        return epoch.getAndIncrement();
    }

    /** Returns whether everybody who pinned in an epoch or before has left. */
    boolean hasPassed(long ended) {
        for (int line = 0; line < LINES; line++) {
            long pinned = lines.get(line * STRIDE);
            if (pinned != 0 && pinned <= ended) {
                return false;
            }
        }
        return true;
    }

    /** Lets nobody pin any more, and waits until everybody who is inside has left. */
    void end() {
        ended = true; // before the lines are looked at, as a line is taken before this is: one sees the other
        awaitOthers();
    }

    /** Waits until everybody who is inside now has left. */
    void awaitOthers() {
        long ended = advance();
        while (!hasPassed(ended)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
