package dev.larder.log;

import java.time.Duration;
import java.util.Objects;

/**
 * What a reader does in a {@code poll} that waits, until the next record is there: how fast it sees it, and what the
 * waiting costs. Each reader has its own, since one process may have a hasty reader beside a patient one.
 *
 * <p>Whatever it is, the wait ends at its time-out, at an interrupt and when the log is closed, and a dead writer's claim
 * is resolved after 1 ms. Only {@link Kind#FUTEX} asks writers to wake it; for the others an append costs no more than if
 * nobody waited. On a virtual thread and in a read-only opening {@link Kind#FUTEX} looks by itself, every 50 us at first.
 *
 * @param kind what is done between two looks
 * @param interval between two looks, for {@link Kind#PARK}: 1 us to 1 hour
 */
public record WaitStrategy(Kind kind, Duration interval) {

    /** The kinds of waiting, the fastest and most costly first. */
    public enum Kind {
        /**
         * Looks again at once: a processor is taken as long as the wait lasts. A virtual thread keeps its carrier all the
         * while, as in any loop: with as many of them as carriers, no other virtual thread runs.
         */
        BUSY_SPIN,
        /**
         * Looks again after whoever else wants the processor. A virtual thread parks for the shortest time, some 50 us,
         * which gives its carrier to all others; its own yield would not.
         */
        YIELD,
        /** Looks a few times, and then sleeps until a writer wakes it. */
        FUTEX,
        /** Sleeps for an interval between two looks; nobody wakes it. The system may add 50 us of its own. */
        PARK
    }

    private static final Duration SHORTEST = Duration.ofNanos(1_000);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** A strategy; the interval must be in its range. */
    public WaitStrategy {
        Objects.requireNonNull(kind);
        if (kind == Kind.PARK && (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException("park interval " + interval + " is not within 1 us and 1 hour");
        }
    }

    /** Returns the strategy that never leaves the processor. */
    public static WaitStrategy busySpin() {
        return new WaitStrategy(Kind.BUSY_SPIN, Duration.ZERO);
    }

    /** Returns the strategy that lets others run between two looks. */
    public static WaitStrategy yielding() {
        return new WaitStrategy(Kind.YIELD, Duration.ZERO);
    }

    /** Returns the default: the strategy that sleeps until it is woken. */
    public static WaitStrategy futex() {
        return new WaitStrategy(Kind.FUTEX, Duration.ZERO);
    }

    /** Returns the strategy that sleeps for a time between two looks. */
    public static WaitStrategy parking(Duration interval) {
        return new WaitStrategy(Kind.PARK, interval);
    }
}
