package dev.larder.lab.load;

import dev.larder.cli.Figures;
import org.jspecify.annotations.Nullable;

/**
 * The way of requests to a target. It never waits for the target: what the target does not take yet is kept here, so
 * that the next request leaves in its time whatever becomes of this one.
 *
 * <p>All methods are called by the generator's thread.
 */
@FunctionalInterface
public interface Driver extends AutoCloseable {

    /** Makes a driver of what a conductor says about it; its target is reached when this returns. */
    @FunctionalInterface
    interface Factory {
        Driver open(Figures settings, Answers answers);
    }

    /** Gets told of each answer, by any thread. */
    @FunctionalInterface
    interface Answers {

        /**
         * A request was answered.
         *
         * @param id of the request
         * @param status 0 if it was served; else an error of the target's or the driver's own
         * @param waitedNanos how long it waited in the target before it was served; -1 when the target does not tell
         * @param servedNanos how long the target worked on it; -1 when it does not tell
         */
        void answered(long id, int status, long waitedNanos, long servedNanos);
    }

    /** Takes a request; the id comes back with the answer. It may leave only with the next {@link #flush}. */
    void send(long id, Request request);

    /** Lets leave what can leave; returns whether everything has left. */
    default boolean flush() {
        return true;
    }

    /** Returns what went wrong first, for people; null when nothing did, or the driver does not tell. */
    default @Nullable String firstError() {
        return null;
    }

    /** Gives up: no more answers come. */
    @Override
    default void close() {}

    /** Answers every request at once, by itself: what is left is the generator, and what it can do at most. */
    static Driver echo(Answers answers) {
        return (id, request) -> answers.answered(id, Service.SERVED, 0, 0);
    }
}
