package dev.larder.log;

import dev.larder.log.context.LogSession;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.OpenSession;
import dev.larder.log.retain.Dropping;
import dev.larder.log.retain.Holds;

/** Dropping that a test does by hand, on a log that was opened without a retention. */
public final class Droppings {

    private Droppings() {}

    public static Dropping of(Log log, LogOptions options, Holds holds) {
        LogSession session = OpenSession.of(log);
        LogSession.Writing writing = session.writing();
        Dropping dropping = new Dropping(
                session.directory,
                HookedOptions.withFailpoints(
                        HookedOptions.withStorage(options, session.storage),
                        HookedOptions.of(session.options).failpoints()),
                session.control,
                writing.locks(),
                writing.slot(),
                session.segments,
                writing.claims(),
                session.counters);
        dropping.heed(session.starts, holds);
        return dropping;
    }
}
