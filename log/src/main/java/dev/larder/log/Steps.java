package dev.larder.log;

/**
 * A listener of the named steps of append, roll, recovery, sync and registration: the points at which tests stop or
 * kill a process. Called in the middle of the step, on the thread that takes it.
 */
@FunctionalInterface
public interface Steps {

    /** Nobody listens. */
    Steps NONE = step -> {};

    /** A step was reached, for instance {@code append.claimed}. */
    void reached(String step);
}
