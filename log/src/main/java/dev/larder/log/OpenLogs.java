package dev.larder.log;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The logs that this JVM has open, one session a directory, whatever class loader opened it: closing any descriptor of
 * a lock file may drop its locks, so it must be opened once. Kept under a key of the system properties, which all class
 * loaders share.
 *
 * <p>Opening and closing of one directory take turns. Those of different directories do not wait for each other: a
 * handler may open another log while somebody waits for it to close its own.
 */
final class OpenLogs {

    private static final String OPEN = "dev.larder.log.open";
    private static final String TURNS = "dev.larder.log.turns";
    private static final long TURN_WAIT_SECONDS = 30;

    private static final class Shared {
        final LogSession session;
        int users = 1;

        Shared(LogSession session) {
            this.session = session;
        }
    }

    private OpenLogs() {}

    @SuppressWarnings("unchecked")
    private static Map<String, Object> shared(String key) {
        return (Map<String, Object>)
                System.getProperties().computeIfAbsent(key, name -> new ConcurrentHashMap<String, Object>());
    }

    private static ReentrantLock turn(String identity) {
        return (ReentrantLock) shared(TURNS).computeIfAbsent(identity, name -> new ReentrantLock());
    }

    /** Opens a log, or shares the session that is open with the same options. */
    static LogSession acquire(String identity, Opening opening, LogOptions options) {
        ReentrantLock turn = turn(identity);
        await(turn, identity);
        try {
            Object there = shared(OPEN).get(identity);
            return there == null ? open(identity, opening) : share(identity, there, options);
        } finally {
            turn.unlock();
        }
    }

    private static void await(ReentrantLock turn, String identity) {
        try {
            if (!turn.tryLock(TURN_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new LogBusyException(identity + ": another thread of this JVM has been opening or closing the log"
                        + " for more than " + TURN_WAIT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedWaitException("interrupted while another thread opens or closes " + identity, e);
        }
    }

    private static LogSession open(String identity, Opening opening) {
        LogSession session = opening.open();
        shared(OPEN).put(identity, new Shared(session));
        return session;
    }

    private static LogSession share(String identity, Object there, LogOptions options) {
        if (!(there instanceof Shared shared)) {
            throw new LogBusyException(
                    identity + ": the log is open in this JVM by another copy of the library, loaded by "
                            + there.getClass().getClassLoader());
        }
        if (!isSame(shared.session.options, options)) {
            throw new LogMismatchException(identity + ": the log is open in this JVM with other options: "
                    + shared.session.options + ", asked for " + options);
        }
        shared.users++;
        return shared.session;
    }

    /** Who does not say what becomes of dead writers' claims leaves it to who has opened the log first. */
    private static boolean isSame(LogOptions open, LogOptions asked) {
        boolean silent = asked.resolver().equals(ClaimResolver.PAD);
        return open.equals(silent ? asked.withDoors(doors -> doors.withResolver(open.resolver())) : asked);
    }

    /**
     * Gives a session back; the last user closes it.
     *
     * @throws IllegalStateException when the last user is inside a handler of the session; nothing has changed then
     */
    static void release(String identity, LogSession session) {
        ReentrantLock turn = turn(identity);
        turn.lock();
        try {
            Shared shared = (Shared) Objects.requireNonNull(shared(OPEN).get(identity));
            if (shared.users == 1) {
                session.requireOutside();
                closeLast(identity, session);
            }
            shared.users--;
        } finally {
            turn.unlock();
        }
    }

    private static void closeLast(String identity, LogSession session) {
        try {
            session.close();
        } finally {
            shared(OPEN).remove(identity);
        }
    }
}
