package dev.larder.server.local;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs the failures of a task that is tried again ten times a second. The first of a cause is logged as it is. From then on a
 * line a minute says how many there were. Used by one thread.
 */
final class RepeatedFailures {

    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** A cause, when it was logged, and how often it came since. */
    private static final class Cause {
        private long loggedNanos;
        private long count;
    }

    private final LongSupplier clockNanos;
    private final BiConsumer<String, @Nullable Throwable> log;
    private final Map<String, Cause> causes = new HashMap<>();

    /**
     * Creates a record without failures.
     *
     * @param log takes a message, and the failure if its stack trace is of use
     */
    RepeatedFailures(LongSupplier clockNanos, BiConsumer<String, @Nullable Throwable> log) {
        this.clockNanos = clockNanos;
        this.log = log;
    }

    /** Runs a task, and logs its failure. The text says what cannot be done; there is a limited number of texts. */
    void attempt(String otherwise, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            failed(otherwise, e);
        }
    }

    private void failed(String otherwise, Throwable error) {
        long now = clockNanos.getAsLong();
        String message = otherwise + ": " + error;
        String name = otherwise + error.getClass().getName(); // the message of an error may differ each time
        Cause cause = causes.get(name);
        if (cause == null) {
            cause = new Cause();
            cause.loggedNanos = now;
            causes.put(name, cause);
            log.accept(message, error);
            return;
        }
        cause.count++;
        if (now - cause.loggedNanos >= MINUTE_NANOS) {
            log.accept(message + " (" + cause.count + " times more since this was logged last)", null);
            cause.loggedNanos = now;
            cause.count = 0;
        }
    }
}
