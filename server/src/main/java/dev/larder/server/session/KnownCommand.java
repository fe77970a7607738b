package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.server.client.Histogram;
import dev.larder.server.command.Handler;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A command that this server has, with one of the two handlers, and its figures for {@code INFO commandstats}.
 *
 * @param command its name, arity and flags
 * @param onKeys its handler, if it works on keys
 * @param onSession its handler, if it works on the session
 * @param calls how often it was run
 * @param nanos how long it ran, in nanoseconds
 * @param rejected how often it was not run: a wrong number of arguments, no permission
 * @param failed how often its reply was an error
 * @param times how long it took
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public record KnownCommand(
        Command command,
        @Nullable Handler onKeys,
        @Nullable SessionHandler onSession,
        LongAdder calls,
        LongAdder nanos,
        LongAdder rejected,
        LongAdder failed,
        Histogram times) {

    /** Creates a command that was not run yet. */
    KnownCommand(Command command, @Nullable Handler onKeys, @Nullable SessionHandler onSession) {
        this(
                command,
                onKeys,
                onSession,
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new Histogram());
    }

    void resetCounts() {
        calls.reset();
        nanos.reset();
        rejected.reset();
        failed.reset();
        times.clear();
    }
}
