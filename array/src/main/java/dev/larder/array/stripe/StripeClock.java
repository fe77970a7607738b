package dev.larder.array.stripe;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The time of a stripe's store. While an entry is applied it is the entry's, on every member the same. For a leader's reads it is
 * the system's, but never before the last entry's. For all else, such as what removes expired keys, it is the last entry's.
 */
public final class StripeClock implements InstantSource {

    private final InstantSource system;
    private final ThreadLocal<Boolean> reading = ThreadLocal.withInitial(() -> false);
    private volatile long entryMillis;

    /** A clock that takes the time of reads from another. */
    public StripeClock(InstantSource system) {
        this.system = system;
    }

    /** Sets the time of the entry that is applied now. */
    void beginEntry(long millis) {
        entryMillis = Math.max(entryMillis, millis);
    }

    /** Returns the time for the next entry that a leader makes. */
    public long nextMillis() {
        return Math.max(system.millis(), entryMillis);
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
        return reading.get() ? nextMillis() : entryMillis;
    }
}
