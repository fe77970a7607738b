package dev.larder.map.format;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The time at which an entry expires, as its record stores it: the lower 40 bits of the milliseconds since 1970. The bit
 * above them is set if a use of the entry postpones the deadline.
 *
 * <pre>
 *  17 years past      now      17 years ahead
 * |--------------------|--------------------|         a deadline in the half before now has passed
 * </pre>
 */
public final class Deadline {

    /** The deadline of an entry that does not expire. */
    public static final long NONE = -1;

    /** Stands for the deadline that the map's {@code Lifetime} gives an entry when it is put. */
    public static final long OF_MAP = -2;

    /** How far the clocks of processes that check the same deadline may differ: 99 days. */
    private static final long MARGIN_MILLIS = 1L << 33;

    /** The longest lifetime of an entry that expires: a little over 17 years. */
    public static final long LIFETIME_MAX_MILLIS = (1L << 39) - MARGIN_MILLIS;

    private static final long AWAY_MAX_SECONDS = LIFETIME_MAX_MILLIS / 1000 - 1;
    private static final int BITS = 40;
    private static final long MASK = (1L << BITS) - 1;

    /** Set if the deadline counts from the last use. An entry whose deadline is its own, or counts from writing, keeps it. */
    public static final long IDLE = 1L << BITS;

    private Deadline() {}

    public static long after(long nowMillis, long lifetimeMillis) {
        assert lifetimeMillis >= 0 && lifetimeMillis <= LIFETIME_MAX_MILLIS : lifetimeMillis;
        return (nowMillis + lifetimeMillis) & MASK;
    }

    /**
     * Returns the deadline for an instant, as seen from now. A deadline in the past is now: one further back would come again.
     *
     * @throws IllegalArgumentException if the instant is further away than a deadline can be
     */
    public static long at(long nowMillis, Instant expiry) {
        long seconds = Math.subtractExact(expiry.getEpochSecond(), Math.floorDiv(nowMillis, 1000));
        if (Math.abs(seconds) > AWAY_MAX_SECONDS) {
            throw new IllegalArgumentException(
                    "expiry at " + expiry + " is not within 17 years of now, " + Instant.ofEpochMilli(nowMillis));
        }
        return Math.max(expiry.toEpochMilli(), nowMillis) & MASK;
    }

    /** Returns whether the use of an entry gives it a later deadline. */
    public static boolean isIdle(long deadline) {
        return deadline != NONE && (deadline & IDLE) != 0;
    }

    /** Returns the milliseconds until a deadline; 0 or less if it has passed. */
    public static long leftMillis(long deadline, long nowMillis) {
        int spare = Long.SIZE - BITS;
        return (deadline - nowMillis) << spare >> spare;
    }

    /** Returns the milliseconds of a duration, and rejects one that cannot be a lifetime. */
    public static long lifetimeMillis(Duration time) {
        Objects.requireNonNull(time, "lifetime");
        boolean fits = !time.isNegative() && time.toSeconds() <= LIFETIME_MAX_MILLIS / 1000;
        long millis = fits ? time.toMillis() : -1;
        if (millis < 1 || millis > LIFETIME_MAX_MILLIS) {
            throw new IllegalArgumentException(
                    "lifetime of " + time + " is not between 1 ms and " + Duration.ofMillis(LIFETIME_MAX_MILLIS));
        }
        return millis;
    }
}
