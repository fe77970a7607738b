package dev.larder.log;

import java.time.Duration;
import java.util.Objects;

/**
 * The way in which a reader waits in a {@code poll} for the next record. It decides how soon the reader sees the
 * record, and the cost of the wait. Each reader has its own.
 *
 * <p>With every strategy, a wait ends at its timeout, at an interrupt, and when the log is closed. A dead writer's
 * claim is resolved after 1 ms. Only {@link Kind#FUTEX} needs a wake from writers; with the others, an append costs no
 * more than without a reader. On a virtual thread and in a read-only opening, {@link Kind#FUTEX} checks by itself,
 * every 50 us at first.
 *
 * @param kind what the reader does between two checks
 * @param interval between two checks, for {@link Kind#PARK}: 1 us to 1 hour
 */
public record WaitStrategy(Kind kind, Duration interval) {

    /** The kinds of waiting, ordered from the fastest and most costly. */
    public enum Kind {
        /**
         * Checks again at once, and occupies a processor during the wait. A virtual thread keeps its carrier, as in any
         * loop. If there are as many of these threads as carriers, no other virtual thread runs.
         */
        BUSY_SPIN,
        /**
         * Checks again after other threads that want the processor. A virtual thread parks for the shortest time, some
         * 50 us, which gives its carrier to all others. Its own yield would not.
         */
        YIELD,
        /** Checks a few times, and then sleeps until a writer wakes it. */
        FUTEX,
        /** Sleeps for an interval between two checks, without a wake. The system may add 50 us. */
        PARK
    }

    private static final Duration SHORTEST = Duration.ofNanos(1_000);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Makes a strategy; the interval must be in its range. */
    public WaitStrategy {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(interval, "interval");
        if (kind == Kind.PARK && (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException("park interval " + interval + " is not between 1 us and 1 hour");
        }
    }

    /** Returns the strategy that never leaves the processor. */
    public static WaitStrategy busySpin() {
        return new WaitStrategy(Kind.BUSY_SPIN, Duration.ZERO);
    }

    /** Returns the strategy that lets other threads run between two checks. */
    public static WaitStrategy yielding() {
        return new WaitStrategy(Kind.YIELD, Duration.ZERO);
    }

    /** Returns the default strategy, which sleeps until a writer wakes it. */
    public static WaitStrategy futex() {
        return new WaitStrategy(Kind.FUTEX, Duration.ZERO);
    }

    /** Returns the strategy that sleeps for an interval between two checks. */
    public static WaitStrategy parking(Duration interval) {
        return new WaitStrategy(Kind.PARK, interval);
    }
}
