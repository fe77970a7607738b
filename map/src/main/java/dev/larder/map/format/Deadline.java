package dev.larder.map.format;

import java.time.Duration;
import java.time.Instant;

/**
 * When an entry expires, as it stands in its record: milliseconds since 1970, the lower 40 bits of them. Above them, whether
 * it expires later when it is used.
 *
 * <pre>
 *  17 years past      now      17 years ahead
 * |--------------------|--------------------|         of what is told apart, the half behind now has passed
 * </pre>
 */
public final class Deadline {

    /** Of an entry that does not expire. */
    public static final long NONE = -1;

    /** Stands for the deadline that the map's {@code Lifetime} gives an entry when it is put. */
    public static final long OF_MAP = -2;

    /** By how much clocks may differ that look at the same deadline: 99 days. */
    private static final long MARGIN_MILLIS = 1L << 33;

    /** The longest that an entry lives which expires: 17 years and a little. */
    public static final long LIFETIME_MAX_MILLIS = (1L << 39) - MARGIN_MILLIS;

    private static final long AWAY_MAX_SECONDS = LIFETIME_MAX_MILLIS / 1000 - 1;
    private static final int BITS = 40;
    private static final long MASK = (1L << BITS) - 1;

    /** Set where the time is one since use; an entry whose time is its own, or one since writing, keeps it. */
    public static final long IDLE = 1L << BITS;

    private Deadline() {}

    public static long after(long nowMillis, long lifetimeMillis) {
        assert lifetimeMillis >= 0 && lifetimeMillis <= LIFETIME_MAX_MILLIS : lifetimeMillis;
        return (nowMillis + lifetimeMillis) & MASK;
    }

    /**
     * Returns the deadline that is an instant, seen from now.
     *
     * @throws IllegalArgumentException when it is further away than a deadline can be
     */
    public static long at(long nowMillis, Instant expiry) {
        long seconds = Math.subtractExact(expiry.getEpochSecond(), Math.floorDiv(nowMillis, 1000));
        if (Math.abs(seconds) > AWAY_MAX_SECONDS) {
            throw new IllegalArgumentException(
                    "expiry at " + expiry + " is not within 17 years of now, " + Instant.ofEpochMilli(nowMillis));
        }
        return expiry.toEpochMilli() & MASK;
    }

    /** Returns whether the use of an entry gives it a later deadline. */
    public static boolean isIdle(long deadline) {
        return deadline != NONE && (deadline & IDLE) != 0;
    }

    /** Returns how long it is until then; 0 or less when it has passed. */
    public static long leftMillis(long deadline, long nowMillis) {
        int spare = Long.SIZE - BITS;
        return (deadline - nowMillis) << spare >> spare;
    }

    /** Returns the milliseconds of a duration that can be a lifetime. */
    public static long lifetimeMillis(Duration time) {
        boolean fits = time.toSeconds() <= LIFETIME_MAX_MILLIS / 1000;
        long millis = fits ? time.toMillis() : Long.MAX_VALUE;
        if (millis < 1 || millis > LIFETIME_MAX_MILLIS) {
            throw new IllegalArgumentException(
                    "lifetime of " + time + " is not between 1 ms and " + Duration.ofMillis(LIFETIME_MAX_MILLIS));
        }
        return millis;
    }
}
