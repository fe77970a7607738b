package dev.larder.server.command;

import dev.larder.resp.Command;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import org.jspecify.annotations.Nullable;

/**
 * A command on keys that a client has sent.
 *
 * @param command the command
 * @param handler its handler
 * @param request its arguments, valid until the call has returned
 * @param database the number of the client's database
 * @param reply where its reply goes
 * @param client the client that waits if there is nothing yet; null if it may not wait
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public record Call(
        Command command,
        Handler handler,
        Request request,
        int database,
        ReplyEncoder reply,
        @Nullable WaitingClient client) {

    /** Creates a call of a client that may not wait. */
    public Call(Command command, Handler handler, Request request, int database, ReplyEncoder reply) {
        this(command, handler, request, database, reply, null);
    }
}
