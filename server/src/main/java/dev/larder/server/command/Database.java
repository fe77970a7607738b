package dev.larder.server.command;

import dev.larder.resp.ReplyEncoder;
import dev.larder.server.store.Bytes;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands on keys: on this node alone, or on a set of stripes. A session has no other way to the keys.
 *
 * <p>One object serves one session, or all sessions of an event loop. Its calls return when the reply is written.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public interface Database {

    /**
     * A command behind the running one, which has arrived as well.
     *
     * @param end where it ends, as {@link InputPosition#end}
     * @param isTracked whether its client may keep copies of what it reads: its session then notes the keys before they are read
     */
    record Upcoming(Call call, long end, boolean isTracked) {}

    /** A watch of a key: whether commands have changed the key since the watch began, even if it holds the same again. */
    interface KeyWatch extends AutoCloseable {

        /** The watch of a key that is not watched here. */
        KeyWatch NONE = new KeyWatch() {
            @Override
            public boolean isTouched() {
                return false;
            }

            @Override
            public void close() {}
        };

        /** Returns whether a command has changed the key since. Changes by other processes are not noticed. */
        boolean isTouched();

        /** Ends the watch. */
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
     * Runs a command, and writes its reply or its error; or makes the client wait, and writes nothing.
     *
     * @throws NotReadyException if this thread would have to wait; nothing was changed or written
     * @return whether the reply may go only after {@link #commit}
     */
    boolean run(Call call);

    /**
     * Runs the commands of a transaction, with nothing between, and writes an array of their replies. If a watched key has
     * changed, it writes nil instead and runs no command.
     *
     * @throws NotReadyException if this thread would have to wait; nothing was changed or written
     * @param mayRun whether the user may still run a call; it is called before the call takes effect, or the body checks
     *     itself. Its first answer for a call stays. A refused call has no effect
     * @param body writes the replies: it runs each command that may run with {@link #runWithin}
     * @return whether the reply may go only after {@link #commit}
     */
    boolean transact(
            List<Call> calls, List<Watched> watched, Predicate<Call> mayRun, ReplyEncoder reply, Runnable body);

    /** Runs a command of a transaction, within {@link #transact}. */
    void runWithin(Call call);

    /** The state of the used memory in relation to {@code maxmemory}. */
    enum MemoryState {
        /** There is no limit, or it is not exceeded; or another thread is evicting keys. */
        WITHIN,
        /** This thread has just evicted keys. */
        EVICTED,
        /** The limit is exceeded, and nothing is evicted. */
        FULL
    }

    /** Evicts keys for a short time if too much memory is used; called between two commands. */
    default MemoryState keepWithinMemory() {
        return MemoryState.WITHIN;
    }

    /**
     * Watches a key, for {@link #transact}, until its watch is closed.
     *
     * @throws NotReadyException if this thread would have to wait; the key is not watched
     */
    Watched watch(int database, Bytes key);

    /** Runs commands that wait in the caller's thread, instead of throwing {@link NotReadyException}. */
    void patiently(Runnable commands);

    /**
     * Prepares, in other threads, what a command needs that was not ready, and calls back in one of those threads.
     *
     * @param next commands on keys that the client may run, and that the session runs next, in this order. What they need is
     *     prepared as well, as far as it is not in the way of the first
     */
    void prepare(NotReadyException met, List<Upcoming> next, Commit done);

    /** Returns how many commands behind a waiting one are prepared with it at most. Their records are loaded together. */
    default int aheadMost() {
        return 63;
    }

    /** Returns whether to call {@link #arrived} for commands that come while one waits. */
    default boolean hearsOfArrivals() {
        return false;
    }

    /**
     * Handles commands that have come since {@link #prepare}, while the command that it was called for still waits.
     *
     * @param next the commands behind those that the database knows already
     */
    default void arrived(List<Upcoming> next) {}

    /** Forgets what its client has chosen, as for a new connection: the client has sent {@code RESET}. */
    default void reset() {}

    /** Calls back, in any thread, when everything written before is durable; with an error if it never will be. */
    void commit(Commit done);

    /** A callback for the end of a commit. */
    @FunctionalInterface
    interface Commit {
        /** Handles the end of a commit; the error is null, or why the changes may be lost. */
        void done(@Nullable Throwable error);
    }
}
