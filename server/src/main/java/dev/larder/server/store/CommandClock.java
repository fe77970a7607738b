package dev.larder.server.store;

import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that stands still for a command: all that a thread asks for between {@link #hold} and {@link Held#close} has the time
 * of the first question. So a key is not alive at one step of a command, and gone at the next. A thread that holds nothing
 * gets the time of the source.
 *
 * <pre>
 * INCR k     k is read at 99, alive until 100 | 100 | when does k end? at 99, so: at 100 | k + 1 is put, until 100
 * </pre>
 *
 * <p>Threads hold times of their own.
 */
public final class CommandClock implements InstantSource {

    /** By how much the cleaner is behind: it may not drop what has expired since a command has begun. */
    private static final long CLEANING_LAG_MILLIS = 1000;

    private final InstantSource source;
    private final ThreadLocal<Held> held = ThreadLocal.withInitial(Held::new);

    /** The time of a thread. */
    public final class Held implements AutoCloseable {

        private int holds;
        private boolean isAsked;
        private long millis;

        private Held() {}

        /** Lets the time go on, if this ends the outermost command. */
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

    /** Returns the clock of what removes expired entries for good. */
    InstantSource cleaning() {
        return () -> Instant.ofEpochMilli(source.millis() - CLEANING_LAG_MILLIS);
    }

    /** Has this thread's time stand still, from its next question on. A command within another has the time of that. */
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
