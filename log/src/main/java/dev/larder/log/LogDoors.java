package dev.larder.log;

import dev.larder.memory.Storage;

/**
 * Where a log lets others in: what it stands on, what stands on it, and what looks on. Immutable; each {@code with}
 * returns a changed copy.
 *
 * @param storage where the files are; tests stand a double in its place
 * @param resolver what becomes of claims of dead writers; for structures whose records link to each other
 * @param steps a listener for tests
 */
public record LogDoors(Storage storage, ClaimResolver resolver, Steps steps) {

    /** Returns the defaults: the files of this machine, padding for every claim of the dead, no listener. */
    public static LogDoors defaults() {
        return new LogDoors(Storage.system(), ClaimResolver.PAD, Steps.NONE);
    }

    /** Returns a copy with another {@link #storage}. */
    public LogDoors withStorage(Storage place) {
        return new LogDoors(place, resolver, steps);
    }

    /** Returns a copy with another {@link #resolver}. */
    public LogDoors withResolver(ClaimResolver decider) {
        return new LogDoors(storage, decider, steps);
    }

    /** Returns a copy with another listener of {@link #steps}. */
    public LogDoors withSteps(Steps listener) {
        return new LogDoors(storage, resolver, listener);
    }
}
