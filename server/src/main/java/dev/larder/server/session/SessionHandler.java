package dev.larder.server.session;

import dev.larder.resp.Request;

/** What a command does that is not about keys: about the connection, the server, or other clients. */
@FunctionalInterface
public interface SessionHandler {

    /**
     * Runs the command and writes its reply to the session.
     *
     * @throws dev.larder.resp.ReplyException if it cannot be done; nothing was changed or written
     */
    void run(Session session, Request request);
}
