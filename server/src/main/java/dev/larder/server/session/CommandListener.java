package dev.larder.server.session;

import dev.larder.resp.Request;

/** Hears of every command of all sessions, in the session's thread. */
public interface CommandListener {

    /** Takes a command that was run, and for how long. The request is valid during the call. */
    void ran(Session session, KnownCommand known, Request request, long nanos);

    /** Takes an error reply. */
    void failed(String line);

    /** Takes a request that was refused for lack of rights. */
    void denied(Session session, String reason, String object, String user, boolean withinTransaction);
}
