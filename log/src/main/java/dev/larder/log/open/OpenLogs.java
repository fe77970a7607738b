package dev.larder.log.open;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.context.LogSession;
import dev.larder.log.layer.ClaimResolver;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.layer.OptionDifferences;
import dev.larder.log.layer.Turns;
import dev.larder.log.layer.Turns.Turn;
import dev.larder.memory.OnceOpen;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The logs that this JVM has open, with one session a directory. A lock file must be opened only once, since closing any
 * descriptor of it may drop its locks. Copies of the library that other class loaders have loaded are refused
 * ({@link OnceOpen}).
 *
 * <p>If the files of an open log were removed, a new opening of its directory gets its own session. The old session is failed.
 *
 * <p>Opening and closing of one directory exclude each other. Those of different directories do not wait for each other. A
 * handler may open another log while a thread waits for the handler to close its own.
 */
public final class OpenLogs {

    private static final String KIND = "log";
    private static final Map<String, Shared> OPEN = new ConcurrentHashMap<>();
    private static final Turns TURNS = new Turns();
    private static final long TURN_WAIT_SECONDS = 30;

    /** A session, and the number of its users. */
    public static final class Shared {
        public final LogSession session;
        private final String identity;
        private final OnceOpen once;
        private int users = 1;

        private Shared(LogSession session, String identity, OnceOpen once) {
            this.session = session;
            this.identity = identity;
            this.once = once;
        }

        /** Ends the use of the directory, unless its files were removed and a new log is open there. */
        private void leave() {
            if (OPEN.remove(identity, this)) {
                once.close();
            }
        }
    }

    private OpenLogs() {}

    /** Opens a log, or shares the session that is open with the same options. */
    public static Shared acquire(String identity, Opening opening, LogOptions options) {
        try (Turn _ = await(identity)) {
            Shared there = OPEN.get(identity);
            if (there == null) {
                return open(identity, opening);
            }
            return there.session.isRemoved() ? replace(there, opening) : share(there, options);
        }
    }

    /** Waits for the lock of a directory. An interrupted thread fails only where it would have to wait. */
    private static Turn await(String identity) {
        try {
            return TURNS.take(identity, TURN_WAIT_SECONDS)
                    .orElseThrow(() -> new LogBusyException(
                            identity + ": another thread of this JVM has been opening or closing the log"
                                    + " for more than " + TURN_WAIT_SECONDS + " s"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedWaitException("interrupted while another thread opens or closes " + identity, e);
        }
    }

    private static Shared open(String identity, Opening opening) {
        OnceOpen once = OnceOpen.enter(KIND, identity)
                .orElseThrow(() -> new LogBusyException(
                        identity + ": the log is open in this JVM by another copy of the library, loaded by "
                                + OnceOpen.holder(KIND, identity).orElse("a class loader that has just closed it")));
        try {
            return put(identity, opening.open(), once);
        } catch (RuntimeException | Error e) {
            once.close();
            throw e;
        }
    }

    private static Shared put(String identity, LogSession session, OnceOpen once) {
        Shared shared = new Shared(session, identity, once);
        OPEN.put(identity, shared);
        return shared;
    }

    /** Opens the log in a directory from which another was removed. The users of the removed log keep its session. */
    private static Shared replace(Shared removed, Opening opening) {
        removed.session.failRemoved();
        return put(removed.identity, opening.open(), removed.once);
    }

    private static Shared share(Shared there, LogOptions options) {
        if (!isSame(there.session.options, options)) {
            throw new LogMismatchException(there.identity + ": the log is open in this JVM with other options: "
                    + OptionDifferences.of(there.session.options, options));
        }
        there.users++;
        return there;
    }

    /**
     * Returns whether the options are the same. An opening that sets no resolver of dead writers' claims accepts that of the
     * first opening.
     */
    private static boolean isSame(LogOptions open, LogOptions asked) {
        boolean silent = HookedOptions.of(asked).resolver().equals(ClaimResolver.PAD);
        return open.equals(
                silent
                        ? HookedOptions.with(
                                asked,
                                doors -> doors.withResolver(
                                        HookedOptions.of(open).resolver()))
                        : asked);
    }

    /**
     * Ends one use of a session; the last user closes it.
     *
     * @throws IllegalStateException when the last user is inside a handler of the session; nothing has changed then
     */
    public static void release(Shared shared) {
        try (Turn _ = TURNS.take(shared.identity)) {
            requireOutside(shared);
            if (shared.users == 1) {
                closeLast(shared);
            }
            shared.users--;
        }
    }

    private static void requireOutside(Shared shared) {
        if (shared.users == 1) {
            shared.session.requireOutside();
        }
    }

    /** Fails where {@link #release} would be refused. */
    public static void requireReleasable(Shared shared) {
        try (Turn _ = TURNS.take(shared.identity)) {
            requireOutside(shared);
        }
    }

    private static void closeLast(Shared shared) {
        try {
            shared.session.close();
        } finally {
            shared.leave();
        }
    }
}
