package dev.larder.log.layer;

/**
 * A listener of the named steps of append, roll, recovery, sync and registration: the points at which tests stop, fail or kill
 * a process. It is called in the middle of the step, on the thread that runs it.
 */
@FunctionalInterface
public interface Failpoints {

    /** A listener that does nothing. */
    Failpoints NONE = step -> {};

    /** Is called when a step is reached, for instance {@code append.claimed}. */
    void reached(String step);
}
