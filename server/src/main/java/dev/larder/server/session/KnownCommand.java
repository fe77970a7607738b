package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.server.client.Histogram;
import dev.larder.server.command.Handler;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A command that this server has, with its handler: one of the two. And what {@code INFO commandstats} tells of it.
 *
 * @param command its name, arity and flags
 * @param onKeys what it does with keys
 * @param onSession what it does with the session
 * @param calls how often it was run
 * @param nanos for how long
 * @param rejected how often it was not run: a wrong number of arguments, no permission
 * @param failed how often its reply was an error
 * @param times how long it took
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
public record KnownCommand(
        Command command,
        @Nullable Handler onKeys,
        @Nullable SessionHandler onSession,
        LongAdder calls,
        LongAdder nanos,
        LongAdder rejected,
        LongAdder failed,
        Histogram times) {

    /** A command that was not run yet. */
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
