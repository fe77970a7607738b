package dev.larder.array.stripe;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The time of a stripe's store. While an entry is applied it is the entry's, on every member the same. For a leader's reads it is
 * the system's, but never before the last entry's, nor after that of an entry which is still under way. For all else, such as
 * what removes expired keys, it is the last entry's.
 *
 * <pre>
 * time     100            161              170
 * SET k PX 61 at 100      .                .
 *          SET k v XX gets its time at 150 .  is applied at 170: k is there
 *                         GET k at 165: k must be there too, or the answers have no order
 * </pre>
 */
public final class StripeClock implements InstantSource {

    private static final long NONE = Long.MAX_VALUE;

    private final InstantSource system;
    private final ThreadLocal<Boolean> reading = ThreadLocal.withInitial(() -> false);
    private volatile long entryMillis;
    private final List<EntryTime> underWay = new ArrayList<>(); // guarded by this
    private volatile long oldestUnderWay = NONE;

    /**
     * The time of an entry that a leader makes.
     *
     * @param readsMillis no read is later than that meanwhile
     * @param millis the entry's
     */
    public record EntryTime(long readsMillis, long millis) {}

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
     * taken last: a read that has not seen the entry has taken its time before.
     */
    public synchronized EntryTime begin() {
        long held = now();
        underWay.add(new EntryTime(held, held));
        oldestUnderWay = oldest();
        EntryTime time = new EntryTime(held, now());
        underWay.set(underWay.size() - 1, time);
        return time;
    }

    /** Says that an entry is applied, or will not be. */
    public synchronized void end(EntryTime time) {
        underWay.remove(time);
        oldestUnderWay = oldest();
    }

    private long oldest() {
        return underWay.stream().mapToLong(EntryTime::readsMillis).min().orElse(NONE);
    }

    private long now() {
        return Math.max(system.millis(), entryMillis);
    }

    /** The system's time first: an entry that begins behind the second look takes a later one. */
    private long readMillis() {
        long now = system.millis();
        return Math.max(Math.min(now, oldestUnderWay), entryMillis);
    }

    /** Makes this thread one that reads for clients, or no longer. */
    public void reading(boolean now) {
        reading.set(now);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
        return reading.get() ? readMillis() : entryMillis;
    }
}
