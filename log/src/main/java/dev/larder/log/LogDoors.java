package dev.larder.log;

import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;

/**
 * Where a log lets others in: what it stands on, what stands on it, and what looks on. Immutable; each {@code with}
 * returns a changed copy.
 *
 * @param storage where the files are; tests stand a double in its place
 * @param resolver what becomes of claims of dead writers; for structures whose records link to each other
 * @param steps a listener for tests
 * @param linked whether a structure above keeps positions of the records: then it alone appends, and says what is
 *     dropped ({@code LogRecords}). A log that is created so says so to everybody; others may read it
 */
public record LogDoors(Storage storage, ClaimResolver resolver, Steps steps, boolean linked) {

    /** Returns the defaults: the files of this machine, padding for every claim of the dead, no listener, not linked. */
    public static LogDoors defaults() {
        return new LogDoors(SystemStorage.system(), ClaimResolver.PAD, Steps.NONE, false);
    }

    /** Returns a copy with another {@link #storage}. */
    public LogDoors withStorage(Storage place) {
        return new LogDoors(place, resolver, steps, linked);
    }

    /** Returns a copy with another {@link #resolver}. */
    public LogDoors withResolver(ClaimResolver decider) {
        return new LogDoors(storage, decider, steps, linked);
    }

    /** Returns a copy with another listener of {@link #steps}. */
    public LogDoors withSteps(Steps listener) {
        return new LogDoors(storage, resolver, listener, linked);
    }

    /** Returns a copy with another {@link #linked}. */
    public LogDoors withLinked(boolean kept) {
        return new LogDoors(storage, resolver, steps, kept);
    }
}
