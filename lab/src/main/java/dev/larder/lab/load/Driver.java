package dev.larder.lab.load;

import dev.larder.cli.Figures;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a target. It never waits for the target, but keeps the requests that the target does not accept
 * yet. So the next request leaves on time whatever happens to this one.
 *
 * <p>Only the generator's thread calls it.
 */
@FunctionalInterface
public interface Driver extends AutoCloseable {

    /** Creates a driver from a conductor's settings; it has reached its target on return. */
    @FunctionalInterface
    interface Factory {
        Driver open(Figures settings, Answers answers);
    }

    /** Receives each answer, on any thread. */
    @FunctionalInterface
    interface Answers {

        /**
         * Records an answer.
         *
         * @param id of the request
         * @param status 0 if it was served; else an error of the target or the driver
         * @param waitedNanos how long it waited in the target before service; -1 if the target does not say
         * @param servedNanos how long the target worked on it; -1 if it does not say
         */
        void answered(long id, int status, long waitedNanos, long servedNanos);
    }

    /** Takes a request; the id comes back with the answer. It may leave only with the next {@link #flush}. */
    void send(long id, Request request);

    /** Sends what it can; returns whether everything has left. */
    default boolean flush() {
        return true;
    }

    /** Returns the first error, for people; null if there was none, or the driver does not say. */
    default @Nullable String firstError() {
        return null;
    }

    /** Closes it: no more answers come. */
    @Override
    default void close() {}

    /** Returns a driver that answers every request at once: it shows the generator's own limit. */
    static Driver echo(Answers answers) {
        return (id, request) -> answers.answered(id, Service.SERVED, 0, 0);
    }
}
