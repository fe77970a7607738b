package dev.larder.server.session;

import dev.larder.resp.Request;

/** A listener for every command of all sessions, called in the session's thread. */
public interface CommandListener {

    /** Handles a command that was run, and its duration. The request is valid only during the call. */
    void ran(Session session, KnownCommand known, Request request, long nanos);

    /** Handles an error reply. */
    void failed(String line);

    /** Handles a request that was refused for lack of rights. */
    void denied(Session session, String reason, String object, String user, boolean withinTransaction);
}
