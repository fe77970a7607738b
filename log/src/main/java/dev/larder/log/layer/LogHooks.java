package dev.larder.log.layer;

import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;

/**
 * The storage below a log, the structure above it, and its listener. Only tests and the map set them, never a user. Immutable;
 * each {@code with} returns a changed copy.
 *
 * @param storage where the files are; tests replace it by a double
 * @param resolver what becomes of claims of dead writers; for structures whose records link to each other
 * @param failpoints a listener for tests
 * @param linked whether a structure above keeps positions of the records; then it alone appends, and decides what is dropped.
 *     Such a log shows this to every process from its creation on; other processes may read it
 * @param pending whether the map above is to have pending records; the log itself knows nothing of them
 */
public record LogHooks(
        Storage storage, ClaimResolver resolver, Failpoints failpoints, boolean linked, boolean pending) {

    /** Returns the defaults: the files of this machine, padding for every claim of a dead writer, no listener, not linked. */
    public static LogHooks defaults() {
        return new LogHooks(SystemStorage.system(), ClaimResolver.PAD, Failpoints.NONE, false, false);
    }

    /** Returns a copy with another {@link #storage}. */
    public LogHooks withStorage(Storage place) {
        return new LogHooks(place, resolver, failpoints, linked, pending);
    }

    /** Returns a copy with another {@link #resolver}. */
    public LogHooks withResolver(ClaimResolver decider) {
        return new LogHooks(storage, decider, failpoints, linked, pending);
    }

    /** Returns a copy with another listener of {@link #failpoints}. */
    public LogHooks withFailpoints(Failpoints listener) {
        return new LogHooks(storage, resolver, listener, linked, pending);
    }

    /** Returns a copy with another {@link #linked}. */
    public LogHooks withLinked(boolean kept) {
        return new LogHooks(storage, resolver, failpoints, kept, pending);
    }

    /** Returns a copy with another {@link #pending}. */
    public LogHooks withPending(boolean wanted) {
        return new LogHooks(storage, resolver, failpoints, linked, wanted);
    }
}
