package dev.larder.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The logs that this JVM has open, one session a directory, whatever class loader opened it: closing any descriptor of
 * a lock file may drop its locks, so it must be opened once. Kept under one key of the system properties, which all
 * class loaders share.
 */
final class OpenLogs {

    private static final String KEY = "dev.larder.log.open";

    private static final class Shared {
        final LogSession session;
        int users = 1;

        Shared(LogSession session) {
            this.session = session;
        }
    }

    private OpenLogs() {}

    @SuppressWarnings("unchecked")
    private static Map<String, Object> open() {
        return (Map<String, Object>)
                System.getProperties().computeIfAbsent(KEY, key -> new ConcurrentHashMap<String, Object>());
    }

    /** Opens a log, or shares the session that is open with the same options. */
    static LogSession acquire(String identity, Opening opening, LogOptions options) {
        synchronized (lock()) {
            Object there = open().get(identity);
            if (there == null) {
                LogSession session = opening.open();
                open().put(identity, new Shared(session));
                return session;
            }
            return share(identity, there, options);
        }
    }

    private static LogSession share(String identity, Object there, LogOptions options) {
        if (!(there instanceof Shared shared)) {
            throw new LogBusyException(
                    identity + ": the log is open in this JVM by another copy of the library, loaded by "
                            + there.getClass().getClassLoader());
        }
        if (!shared.session.options.equals(options)) {
            throw new LogMismatchException(identity + ": the log is open in this JVM with other options: "
                    + shared.session.options + ", asked for " + options);
        }
        shared.users++;
        return shared.session;
    }

    /** Gives a session back; the last user closes it. */
    static void release(String identity, LogSession session) {
        synchronized (lock()) {
            Shared shared = (Shared) open().get(identity);
            if (shared != null && shared.session == session && --shared.users == 0) {
                open().remove(identity);
                session.close();
            }
        }
    }

    /** Returns a lock that all class loaders share. */
    private static Object lock() {
        return open();
    }
}
