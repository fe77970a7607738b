package dev.larder.map;

import dev.larder.map.format.Deadline;
import java.time.Duration;
import java.util.Optional;

/**
 * How long entries live that are given no lifetime of their own. Immutable; each {@code with} returns a changed copy. It
 * belongs to this opening: what was put keeps the time that it was given.
 *
 * <p>An entry that has expired is not there for any method of the map, but for its sizes, which count it until the
 * cleaner has come to its segment. Times are the system's clock's, to the millisecond.
 *
 * @param sinceWrite how long after it was put an entry expires, from 1 ms to 17 years; empty: never
 * @param sinceUse how long after it was last put or looked at an entry expires, from 1 ms to 17 years; it may be a
 *     quarter more, as the time is written again when a fifth of it has gone by, and a use costs no write otherwise.
 *     Empty: however long. Only one of the two may be given
 */
public record Lifetime(Optional<Duration> sinceWrite, Optional<Duration> sinceUse) {

    private static final Lifetime ENDLESS = new Lifetime(Optional.empty(), Optional.empty());

    /** A lifetime; each value must be in its range. */
    public Lifetime {
        sinceWrite.ifPresent(Deadline::lifetimeMillis);
        sinceUse.ifPresent(Deadline::lifetimeMillis);
        if (sinceWrite.isPresent() && sinceUse.isPresent()) {
            throw new IllegalArgumentException("a lifetime of " + sinceWrite.get() + " since writing and of "
                    + sinceUse.get() + " since use: give one");
        }
    }

    /** Returns the default: what is put stays. */
    public static Lifetime endless() {
        return ENDLESS;
    }

    /** Returns a lifetime that begins when an entry is put. */
    public static Lifetime sinceWrite(Duration time) {
        return new Lifetime(Optional.of(time), Optional.empty());
    }

    /** Returns a lifetime that begins anew when an entry is looked at. */
    public static Lifetime sinceUse(Duration time) {
        return new Lifetime(Optional.empty(), Optional.of(time));
    }
}
