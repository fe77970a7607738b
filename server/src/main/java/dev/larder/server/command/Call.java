package dev.larder.server.command;

import dev.larder.resp.Command;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import org.jspecify.annotations.Nullable;

/**
 * A command on keys that a client has sent.
 *
 * @param command what it is
 * @param handler what it does
 * @param request its arguments, valid until the call has returned
 * @param database the number of the client's database
 * @param reply where its reply goes
 * @param client who waits if there is nothing yet; null: who may not wait
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
public record Call(
        Command command,
        Handler handler,
        Request request,
        int database,
        ReplyEncoder reply,
        @Nullable WaitingClient client) {

    /** A call of a client that may not wait. */
    public Call(Command command, Handler handler, Request request, int database, ReplyEncoder reply) {
        this(command, handler, request, database, reply, null);
    }
}
