package dev.larder.server.command;

import dev.larder.resp.ReplyEncoder;
import dev.larder.server.store.Bytes;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where commands on keys are done: on this node alone, or on a set of stripes. A session knows no other way to the keys.
 *
 * <p>One object serves one session, or all of an event loop. Its calls return when the reply is written.
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
public interface Database {

    /**
     * A command behind the one that runs, which has come as well.
     *
     * @param end where it ends, as {@link InputPosition#end}
     * @param isTracked whether its client may keep copies of what it reads: its session then notes the keys before they are read
     */
    record Upcoming(Call call, long end, boolean isTracked) {}

    /** Whether commands have changed a key since a client began to watch it, even if it holds the same again. */
    interface KeyWatch extends AutoCloseable {

        /** Of a key that nobody watches here. */
        KeyWatch NONE = new KeyWatch() {
            @Override
            public boolean isTouched() {
                return false;
            }

            @Override
            public void close() {}
        };

        /** Returns whether a command has changed the key since. Changes by other processes are not heard. */
        boolean isTouched();

        /** Ends it. */
        @Override
        void close();
    }

    /**
     * A key that a client watches.
     *
     * @param state what it held: another number if other processes have changed it
     * @param watch whether commands have changed it
     */
    record Watched(int database, Bytes key, long state, KeyWatch watch) {}

    /**
     * Runs a command, and writes its reply or its error. Or tells the client that it waits, and writes nothing.
     *
     * @throws NotReadyException if this thread would have to wait; nothing was changed or written
     * @return whether the reply may go only after {@link #commit}
     */
    boolean run(Call call);

    /**
     * Runs the commands of a transaction, with nothing between, and writes an array of their replies. Writes nil in place of
     * it, and runs none, if a watched key has changed.
     *
     * @throws NotReadyException if this thread would have to wait; nothing was changed or written
     * @param mayRun whether the user may still run a call; it is asked before the call takes effect, or the body looks itself. Its first
     *     answer to a call stays. A call that is refused has no effect
     * @param body writes the replies: it runs each command that may run with {@link #runWithin}
     * @return whether the reply may go only after {@link #commit}
     */
    boolean transact(
            List<Call> calls, List<Watched> watched, Predicate<Call> mayRun, ReplyEncoder reply, Runnable body);

    /** Runs a command of a transaction, within {@link #transact}. */
    void runWithin(Call call);

    /** How what is used stands to {@code maxmemory}. */
    enum MemoryState {
        /** There is no limit, or no more is used; or others are evicting keys. */
        WITHIN,
        /** Keys were evicted by this thread just now. */
        EVICTED,
        /** More is used, and nothing is evicted. */
        FULL
    }

    /** Evicts keys for a short time if more memory is used than may be; called between two commands. */
    default MemoryState keepWithinMemory() {
        return MemoryState.WITHIN;
    }

    /**
     * Watches a key, for {@link #transact}, until its watch is closed.
     *
     * @throws NotReadyException if this thread would have to wait; the key is not watched
     */
    Watched watch(int database, Bytes key);

    /** Runs commands that wait in the caller's thread, where they would throw {@link NotReadyException} otherwise. */
    void patiently(Runnable commands);

    /**
     * Does by other threads what a command needs that was not ready, and calls back in one of them.
     *
     * @param next commands on keys that the client may run, and that the session runs next, in this order. What they need is
     *     done as well, as far as it is not in the way of the first
     */
    void prepare(NotReadyException met, List<Upcoming> next, Commit done);

    /** Returns how many commands behind one that waits are prepared with it at most. Their records are brought in together. */
    default int aheadMost() {
        return 63;
    }

    /** Returns whether it is to hear of commands that come while one waits. */
    default boolean hearsOfArrivals() {
        return false;
    }

    /**
     * Hears of commands that have come since {@link #prepare}, while the command that it was called for still waits.
     *
     * @param next those behind the ones that it has heard of
     */
    default void arrived(List<Upcoming> next) {}

    /** Calls back, in any thread, when all that was written before is durable; with an error if it never will be. */
    void commit(Commit done);

    /** Takes the end of a commit. */
    @FunctionalInterface
    interface Commit {
        /** Takes it: null, or why the changes may be lost. */
        void done(@Nullable Throwable error);
    }
}
