package dev.larder.server.store;

import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that stands still for a command. Between {@link #hold} and {@link Held#close}, a thread always gets the time of its
 * first query. So a key is never alive at one step of a command and expired at the next. A thread without a hold gets the time
 * of the source.
 *
 * <pre>
 * INCR k     k is read at 99, alive until 100 | 100 | when does k end? at 99, so: at 100 | k + 1 is put, until 100
 * </pre>
 *
 * <p>Each thread holds its own time.
 */
public final class CommandClock implements InstantSource {

    /** How far the cleaner's clock lags: the cleaner must not drop an entry that expired after a command began. */
    private static final long CLEANING_LAG_MILLIS = 1000;

    private final InstantSource source;
    private final ThreadLocal<Held> held = ThreadLocal.withInitial(Held::new);

    /** The held time of a thread. */
    public final class Held implements AutoCloseable {

        private int holds;
        private boolean isAsked;
        private long millis;

        private Held() {}

        /** Lets the time continue if this ends the outermost command. */
        @Override
        public void close() {
            holds--;
        }

        private long millis() {
            if (holds == 0) {
                return source.millis();
            }
            if (!isAsked) {
                isAsked = true;
                millis = source.millis();
            }
            return millis;
        }
    }

    /** A clock that takes the time from another. */
    CommandClock(InstantSource source) {
        this.source = source;
    }

    /** Returns the clock of the cleaner, which removes expired entries permanently. */
    InstantSource cleaning() {
        return () -> Instant.ofEpochMilli(source.millis() - CLEANING_LAG_MILLIS);
    }

    /** Stops this thread's time at its next query. A nested command has the time of the outer command. */
    public Held hold() {
        Held own = held.get();
        if (own.holds++ == 0) {
            own.isAsked = false;
        }
        return own;
    }

    @Override
    public long millis() {
        return held.get().millis();
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }
}
