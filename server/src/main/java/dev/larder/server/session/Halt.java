package dev.larder.server.session;

import dev.larder.resp.Command;

/** What keeps a session from its next request: a pause of all clients, or another client that has closed it. */
final class Halt {

    private final Session session;
    private final Pause pause;
    private volatile boolean held;
    private volatile boolean killed;

    Halt(Session session, Pause pause) {
        this.session = session;
        this.pause = pause;
    }

    /** Returns whether the next request waits for the end of a pause. Any thread. */
    boolean isHeld() {
        return held;
    }

    boolean isOn() {
        return held || killed;
    }

    /** Returns whether another client has closed the connection. */
    boolean isKilled() {
        return killed;
    }

    /** Holds the session if a command has to wait for the end of a pause; returns whether it has. */
    boolean holds(Command command, Transaction transaction) {
        boolean waits = pause.isOn()
                && pause.holds(Pause.writes(command) || (command.name().equals("exec") && transaction.writes()));
        if (waits) {
            held = true;
            pause.hold(this);
        }
        return waits;
    }

    /** Has the session go on after a pause. Any thread. */
    void release() {
        session.link().execute(() -> {
            held = false;
            session.link().resume();
        });
    }

    /** Closes the connection, which another session does at once, or this one behind its reply. */
    void kill(Session by) {
        session.node().remove(session);
        if (by == session) {
            session.close();
        } else {
            killed = true;
            session.link().execute(session.link()::abort);
        }
    }

    /** Closes the connection at once, for a reason that is logged. Any thread. */
    void close(String reason) {
        ClientWatch.log(session, reason);
        session.node().remove(session);
        killed = true;
        session.link().execute(session.link()::abort);
    }

    /** Forgets the session, whose connection is closed. */
    void end() {
        if (held) {
            pause.forget(this);
        }
    }
}
