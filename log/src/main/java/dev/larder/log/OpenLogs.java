package dev.larder.log;

import java.util.ArrayList;
import java.util.List;
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
        Object shared = open().compute(
                        identity,
                        (key, there) -> there == null ? new Shared(opening.open()) : share(key, there, options));
        return ((Shared) shared).session;
    }

    private static Shared share(String identity, Object there, LogOptions options) {
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
        return shared;
    }

    /** Gives a session back; the last user closes it, and it is gone even where that ends with an error. */
    static void release(String identity, LogSession session) {
        List<Throwable> failures = new ArrayList<>();
        open().computeIfPresent(identity, (key, there) -> {
            Shared shared = (Shared) there;
            if (shared.session != session || --shared.users > 0) {
                return shared;
            }
            try {
                session.close();
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
            return null;
        });
        failures.forEach(OpenLogs::rethrow);
    }

    private static void rethrow(Throwable failure) {
        switch (failure) {
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new AssertionError(failure);
        }
    }
}
