package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import java.util.IdentityHashMap;
import java.util.Optional;

/**
 * Decides which commands of a transaction its user may run while it is executed. A command is checked once: by the database
 * before it takes effect, or else as its reply is written. An array checks before it submits an entry and replies later, and
 * rights may change in between.
 */
final class TransactionRights {

    private final Session session;

    /** The decision on each command: empty if it may run, else its error. */
    private final IdentityHashMap<Request, Optional<ReplyException>> decided = new IdentityHashMap<>();

    TransactionRights(Session session) {
        this.session = session;
    }

    /** Returns whether a command may run. */
    boolean mayRun(Call call) {
        return decide(call.command(), call.request()).isEmpty();
    }

    /**
     * Refuses a command that the user may not run any more.
     *
     * @throws ReplyException if the user may not run it
     */
    void require(Command command, Request request) {
        Optional<ReplyException> refusal = decide(command, request);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
    }

    private Optional<ReplyException> decide(Command command, Request request) {
        return decided.computeIfAbsent(request, one -> look(command, one));
    }

    private Optional<ReplyException> look(Command command, Request request) {
        try {
            session.authority().requireWithin(session, command, request);
            return Optional.empty();
        } catch (ReplyException e) {
            return Optional.of(e);
        }
    }
}
