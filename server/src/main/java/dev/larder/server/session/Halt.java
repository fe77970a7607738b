package dev.larder.server.session;

import dev.larder.resp.Command;

/** Keeps a session from its next request: in a pause of all clients, or after another client has closed the session. */
final class Halt {

    private final Session session;
    private final Pause pause;
    private volatile boolean held;
    private volatile boolean killed;

    Halt(Session session, Pause pause) {
        this.session = session;
        this.pause = pause;
    }

    /** Returns whether the next request waits for the end of a pause. Any thread may call this. */
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

    /** Holds the session if a command has to wait for the end of a pause; returns whether it does. */
    boolean holds(Command command, Transaction transaction) {
        boolean waits = pause.isOn()
                && pause.holds(Pause.writes(command) || (command.name().equals("exec") && transaction.writes()));
        if (waits) {
            held = true;
            pause.hold(this);
        }
        return waits;
    }

    /** Lets the session continue after a pause. Any thread may call this. */
    void release() {
        session.link().execute(() -> {
            held = false;
            session.link().resume();
        });
    }

    /** Closes the connection: at once if another session does so, behind its own reply if this one does. */
    void kill(Session by) {
        session.node().remove(session);
        if (by == session) {
            session.close();
        } else {
            killed = true;
            session.link().execute(session.link()::abort);
        }
    }

    /** Closes the connection at once, for a reason that is logged. Any thread may call this. */
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
