package dev.larder.server.session;

import dev.larder.resp.Request;

/** The handler of a command that is not about keys: about the connection, the server, or other clients. */
@FunctionalInterface
public interface SessionHandler {

    /**
     * Runs the command and writes its reply to the session.
     *
     * @throws dev.larder.resp.ReplyException if the command fails; nothing was changed or written
     */
    void run(Session session, Request request);
}
