package dev.larder.array.stripe;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The time of a stripe's store. While an entry is applied it is the entry's, on every member the same. For a leader's read it is
 * that of its arrival, but never before the last entry's, nor after that of an entry which is still under way. For all else, such
 * as the removal of expired keys, it is the last entry's.
 *
 * <pre>
 * time     100            161              170
 * SET k PX 61 at 100      .                .
 *          SET k v XX gets its time at 150 .  is applied at 170: k is there
 *                         GET k at 165: by the time of the entry k is there, by its own it is not. So it waits for the entry
 * </pre>
 *
 * So a read that finds an entry alive, whose end lies between the two times, is unclear. It waits for the entries that are under
 * way, and is run again.
 */
public final class StripeClock implements InstantSource {

    private static final long NONE = Long.MAX_VALUE;

    private final InstantSource system;
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
     * @param number how many have begun before
     * @param readsMillis no read is later than that meanwhile
     * @param millis the entry's
     */
    public record EntryTime(long number, long readsMillis, long millis) {}

    /** A read of a thread. */
    private static final class Reading {
        private boolean isOn;
        private boolean isUnclear;
        private long millis;
    }

    /** What waits for all entries before a number. */
    private record Waiter(long number, Runnable task) {}

    /** A clock that takes the time of reads from another. */
    public StripeClock(InstantSource system) {
        this.system = system;
    }

    /** Sets the time of the entry that is applied now. */
    void beginEntry(long millis) {
        entryMillis = Math.max(entryMillis, millis);
    }

    /**
     * Returns the time of an entry that a leader makes, and holds the time of reads back until {@link #end}. The entry's own is
     * taken last: a read that has not seen the entry has taken its time before. It is never before that of the entry that had
     * begun before, though the system's time goes back.
     */
    public synchronized EntryTime begin() {
        long held = now();
        underWay.add(new EntryTime(begun, held, held));
        oldestUnderWay = oldest();
        lastMillis = Math.max(lastMillis, now());
        EntryTime time = new EntryTime(begun, held, lastMillis);
        underWay.set(underWay.size() - 1, time);
        begun++;
        return time;
    }

    /** Says that an entry is applied, or will not be. */
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

    /** Runs a task once the entries that are under way now have ended: now, or in the thread that ends them. It must not wait. */
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
        return underWay.stream().mapToLong(EntryTime::readsMillis).min().orElse(NONE);
    }

    private long now() {
        return Math.max(system.millis(), entryMillis);
    }

    /** Returns the system's time. */
    public long systemMillis() {
        return system.millis();
    }

    /**
     * Has this thread read for a client until {@link #endRead}.
     *
     * @param millis the system's time since the read had come, and before its leader was confirmed: entries of a later one have
     *     later times
     */
    public void beginRead(long millis) {
        Reading own = reading.get();
        own.isOn = true;
        own.isUnclear = false;
        own.millis = millis;
    }

    /** Ends the read; returns whether it has found an entry alive that has expired by the time of the read. */
    public boolean endRead() {
        Reading own = reading.get();
        own.isOn = false;
        return own.isUnclear;
    }

    /** Hears the deadline of an entry that was found alive. */
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
