package dev.larder.map;

import dev.larder.map.format.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The lifetime of entries that are put without one of their own. Immutable; each {@code with} returns a changed copy.
 * It belongs to one opening: an entry keeps the expiry that it got when it was put.
 *
 * <p>No method of the map returns an expired entry. Only its sizes count it, until the cleaner reaches its segment.
 * Times are of the system's clock, to the millisecond, unless {@link MapTime} gives another.
 *
 * @param sinceWrite the time after its put at which an entry expires, from 1 ms to 17 years; empty: never
 * @param sinceUse the time after its last put or read at which an entry expires, from 1 ms to 17 years. It may be a
 *     quarter longer: the expiry is written again only after a fifth of the time, and other uses cost no write. Empty:
 *     no such limit. Only one of the two may be given
 */
public record Lifetime(Optional<Duration> sinceWrite, Optional<Duration> sinceUse) {

    private static final Lifetime ENDLESS = new Lifetime(Optional.empty(), Optional.empty());

    /** Creates a lifetime; each value must be in its range. */
    public Lifetime {
        Objects.requireNonNull(sinceWrite, "sinceWrite");
        Objects.requireNonNull(sinceUse, "sinceUse");
        sinceWrite.ifPresent(Deadline::lifetimeMillis);
        sinceUse.ifPresent(Deadline::lifetimeMillis);
        if (sinceWrite.isPresent() && sinceUse.isPresent()) {
            throw new IllegalArgumentException("a lifetime of " + sinceWrite.get() + " since writing and of "
                    + sinceUse.get() + " since use: give one");
        }
    }

    /** Returns the default: entries do not expire. */
    public static Lifetime endless() {
        return ENDLESS;
    }

    /** Returns a lifetime that starts when an entry is put. */
    public static Lifetime sinceWrite(Duration time) {
        return new Lifetime(Optional.of(time), Optional.empty());
    }

    /** Returns a lifetime that starts again when an entry is read. */
    public static Lifetime sinceUse(Duration time) {
        return new Lifetime(Optional.empty(), Optional.of(time));
    }
}
