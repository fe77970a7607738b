package dev.larder.array.stripe;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of a stripe's store. While an entry is applied, it is the entry's time, the same on every member. For a leader's read,
 * it is the time when the read arrived. But it is never before the last entry's time, nor after the time of an entry in flight.
 * For all else, such as the removal of expired keys, it is the last entry's time.
 *
 * <pre>
 * time     100            161              170
 * SET k PX 61 at 100      .                .
 *          SET k v XX gets its time at 150 .  is applied at 170: k is there
 *                         GET k at 165: by the time of the entry k is there, by its own it is not. So it waits for the entry
 * </pre>
 *
 * So a read is unclear if it finds an entry alive whose deadline lies between the two times. It waits for the entries in flight,
 * and is run again.
 */
public final class StripeClock implements InstantSource {

    private static final long NONE = Long.MAX_VALUE;

    private final InstantSource system;
    private final AtomicLong latestMillis = new AtomicLong(Long.MIN_VALUE);
    private final ThreadLocal<Reading> reading = ThreadLocal.withInitial(Reading::new);
    private volatile long entryMillis;
    private final List<EntryTime> underWay = new ArrayList<>(); // guarded by this, in the order of their numbers
    private final List<Waiter> waiters = new ArrayList<>(); // guarded by this
    private long begun; // guarded by this
    private long lastMillis; // guarded by this
    private volatile long oldestUnderWay = NONE;

    /**
     * The time of an entry that a leader makes.
     *
     * @param number how many entries had begun before
     * @param readsMillis the latest time of reads meanwhile
     * @param millis the entry's time
     */
    public record EntryTime(long number, long readsMillis, long millis) {}

    /** The read that a thread is doing. */
    private static final class Reading {
        private boolean isOn;
        private boolean isUnclear;
        private long millis;
    }

    /** A task that waits for the end of all entries before a number. */
    private record Waiter(long number, Runnable task) {}

    /** Creates a clock that takes the time of reads from another. */
    public StripeClock(InstantSource system) {
        this.system = system;
    }

    /** Sets the time of the entry that is now being applied. */
    void beginEntry(long millis) {
        entryMillis = Math.max(entryMillis, millis);
    }

    /**
     * Returns the time of an entry that a leader makes, and holds the time of reads back until {@link #end}. The entry's own time
     * is taken last: a read that has not seen the entry took its time before. The entry's time is never before that of the
     * previous entry, even if the system's time goes back.
     */
    public synchronized EntryTime begin() {
        long held = now();
        underWay.add(new EntryTime(begun, held, held));
        boolean isBegun = false;
        try {
            oldestUnderWay = oldest();
            lastMillis = Math.max(lastMillis, now());
            EntryTime time = new EntryTime(begun, held, lastMillis);
            underWay.set(underWay.size() - 1, time);
            begun++;
            isBegun = true;
            return time;
        } finally {
            if (!isBegun) { // else it would hold the time of reads back for ever
                underWay.removeLast();
                oldestUnderWay = oldest();
            }
        }
    }

    /** Records that an entry is applied, or will not be. */
    public void end(EntryTime time) {
        List<Waiter> due;
        synchronized (this) {
            underWay.remove(time);
            oldestUnderWay = oldest();
            long first = underWay.isEmpty() ? begun : underWay.getFirst().number;
            due = waiters.stream().filter(waiter -> waiter.number <= first).toList();
            waiters.removeAll(due);
        }
        due.forEach(waiter -> waiter.task.run());
    }

    /**
     * Runs a task once the entries now in flight have ended: at once, or in the thread that ends them. The task must not wait.
     */
    public void awaitUnderWay(Runnable task) {
        synchronized (this) {
            if (!underWay.isEmpty()) {
                waiters.add(new Waiter(begun, task));
                return;
            }
        }
        task.run();
    }

    private long oldest() {
        long oldest = NONE;
        for (EntryTime time : underWay) {
            oldest = Math.min(oldest, time.readsMillis);
        }
        return oldest;
    }

    private long now() {
        return Math.max(systemMillis(), entryMillis);
    }

    /**
     * Returns the system's time, which does not go back here: a read that found a key expired may be followed by one that finds
     * it alive otherwise.
     */
    public long systemMillis() {
        long now = system.millis();
        long latest = latestMillis.get();
        return now <= latest ? latest : latestMillis.accumulateAndGet(now, Math::max);
    }

    /**
     * Makes this thread read for a client until {@link #endRead}.
     *
     * @param millis the system's time after the read arrived and before its leader was confirmed: later entries have later times
     */
    public void beginRead(long millis) {
        Reading own = reading.get();
        own.isOn = true;
        own.isUnclear = false;
        own.millis = millis;
    }

    /** Ends the read. Returns whether it has found an entry alive that has expired by the time of the read. */
    public boolean endRead() {
        Reading own = reading.get();
        own.isOn = false;
        return own.isUnclear;
    }

    /** Records the deadline of an entry that was found alive. */
    void foundAlive(long deadlineMillis) {
        Reading own = reading.get();
        if (own.isOn && deadlineMillis <= own.millis) {
            own.isUnclear = true;
        }
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
        Reading own = reading.get();
        return own.isOn ? Math.max(Math.min(own.millis, oldestUnderWay), entryMillis) : entryMillis;
    }
}
