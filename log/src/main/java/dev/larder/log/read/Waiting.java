package dev.larder.log.read;

import dev.larder.log.RecordHandler;
import dev.larder.log.WaitStrategy;
import dev.larder.memory.Storage;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A reader's wait for its next record: it polls, and between two polls lets time pass by its strategy. */
public final class Waiting {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
    private static final int SPINS = 200;

    private final Storage storage;
    private final WaitStrategy strategy;
    private final Sleep sleep;

    public Waiting(Storage storage, WaitStrategy strategy, Sleep sleep) {
        this.storage = storage;
        this.strategy = strategy;
        this.sleep = sleep;
    }

    /**
     * The reader that waits. It polls for a record, and sleeps outside the poll, so that a closing thread can enter between
     * two polls.
     */
    public interface Waiter {
        boolean poll(RecordHandler handler);

        void checkNotClosing();

        void sleep(Sleep sleep, long nanos);
    }

    /** Hands the next record to a handler; returns false when the time is over. */
    public boolean poll(Waiter reader, RecordHandler handler, Duration timeout) throws InterruptedException {
        long start = storage.nanoTime();
        long limit = limitNanos(timeout);
        int tries = 0;
        while (!reader.poll(handler)) {
            long waited = storage.nanoTime() - start;
            if (waited >= limit) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            reader.checkNotClosing();
            idle(reader, tries, limit - waited);
            tries = Math.min(tries + 1, SPINS);
        }
        return true;
    }

    /** Returns a timeout in nanoseconds: at least 0, at most 292 years. */
    private static long limitNanos(Duration timeout) {
        if (timeout.compareTo(LONGEST) >= 0) {
            return Long.MAX_VALUE;
        }
        return timeout.isNegative() ? 0 : timeout.toNanos();
    }

    /** Lets some of the remaining time pass, outside the poll, so that a closing thread can enter between two polls. */
    private void idle(Waiter reader, int tries, long nanos) {
        switch (strategy.kind()) {
            case BUSY_SPIN -> Thread.onSpinWait();
            case YIELD -> giveWay();
            case FUTEX -> spinOrSleep(reader, tries, nanos);
            case PARK -> reader.sleep(sleep, nanos);
        }
    }

    /**
     * Yields. A virtual thread instead parks for the shortest time. If it yielded, it would be put where its carrier looks
     * first. As many of these threads as carriers would then let no other virtual thread run, ever (seen on JDK 25).
     */
    private static void giveWay() {
        if (Thread.currentThread().isVirtual()) {
            LockSupport.parkNanos(1);
        } else {
            Thread.yield();
        }
    }

    private void spinOrSleep(Waiter reader, int tries, long nanos) {
        if (tries < SPINS) {
            Thread.onSpinWait();
        } else {
            reader.sleep(sleep, nanos);
        }
    }
}
