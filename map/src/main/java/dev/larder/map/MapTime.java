package dev.larder.map;

import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * The clock of a map, by which entries get their deadlines and expire. Immutable; each {@code with} returns a changed
 * copy. It belongs to one opening, and need not advance by itself: copies of a map with the same changes at the same
 * times hold the same entries.
 *
 * <p>A call reads its source at most once, and not at all if no entry expires. A call on many keys, or an iterator, reads it for
 * each key. A call that takes a function, as {@code compute} does, reads it again after each run: the entry may have expired
 * meanwhile. A source must be quick, and must not use the map.
 *
 * @param calls the source for every method of the map; empty: the system's clock
 * @param cleaning the source for the cleaner: entries that have expired by its time are dropped for good. It should not
 *     be ahead of <i>calls</i>, and may be as far behind as it likes; empty: the system's clock
 * @param alive receives the deadline of each entry that a call finds unexpired, in milliseconds since 1970. So the owner of the
 *     clock learns which results another time would change. It is called within the call, perhaps several times, and must be as
 *     quick as a source; empty: no receiver
 */
public record MapTime(Optional<InstantSource> calls, Optional<InstantSource> cleaning, Optional<LongConsumer> alive) {

    private static final MapTime SYSTEM = new MapTime(Optional.empty(), Optional.empty(), Optional.empty());

    /** Creates a clock; no part may be null. */
    public MapTime {
        Objects.requireNonNull(calls, "calls");
        Objects.requireNonNull(cleaning, "cleaning");
        Objects.requireNonNull(alive, "alive");
    }

    /** Returns the default: the system's clock, to the millisecond. */
    public static MapTime system() {
        return SYSTEM;
    }

    /** Returns one source for calls and for the cleaner. */
    public static MapTime of(InstantSource source) {
        return new MapTime(Optional.of(source), Optional.of(source), Optional.empty());
    }

    /** Returns a copy with another source of {@link #calls}. */
    public MapTime withCalls(InstantSource source) {
        return new MapTime(Optional.of(source), cleaning, alive);
    }

    /** Returns a copy with another source of {@link #cleaning}. */
    public MapTime withCleaning(InstantSource source) {
        return new MapTime(calls, Optional.of(source), alive);
    }

    /** Returns a copy with another listener of {@link #alive} entries. */
    public MapTime withAlive(LongConsumer listener) {
        return new MapTime(calls, cleaning, Optional.of(listener));
    }
}
