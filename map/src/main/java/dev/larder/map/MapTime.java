package dev.larder.map;

import java.time.InstantSource;
import java.util.Optional;

/**
 * Where a map has the time from, by which entries get their deadlines and expire. Immutable; each {@code with} returns a
 * changed copy. It belongs to this opening, and need not advance by itself: copies of a map that are given the same changes
 * at the same times hold the same entries.
 *
 * <p>A call reads its source once at most, and not at all where no entry expires. A source must be quick, and must not use the
 * map.
 *
 * @param calls of every method of the map; empty: the system's clock
 * @param cleaning of the thread that cleans: what has expired by this time is forgotten for good. It should not be ahead of
 *     <i>calls</i>; empty: the system's clock
 */
public record MapTime(Optional<InstantSource> calls, Optional<InstantSource> cleaning) {

    private static final MapTime SYSTEM = new MapTime(Optional.empty(), Optional.empty());

    /** Returns the default: the system's clock, to the millisecond. */
    public static MapTime system() {
        return SYSTEM;
    }

    /** Returns one source for calls and for the thread that cleans. */
    public static MapTime of(InstantSource source) {
        return new MapTime(Optional.of(source), Optional.of(source));
    }

    /** Returns a copy with another source of {@link #calls}. */
    public MapTime withCalls(InstantSource source) {
        return new MapTime(Optional.of(source), cleaning);
    }

    /** Returns a copy with another source of {@link #cleaning}. */
    public MapTime withCleaning(InstantSource source) {
        return new MapTime(calls, Optional.of(source));
    }
}
