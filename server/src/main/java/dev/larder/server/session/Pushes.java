package dev.larder.server.session;

import dev.larder.resp.ReplyEncoder;
import dev.larder.server.client.ClientType;
import dev.larder.server.client.Inbox;
import dev.larder.server.client.SessionOutput;
import dev.larder.server.push.Push;

/** The pushes to a session: their sources, and those that wait. Used by its loop; other threads may call some methods. */
final class Pushes {

    private final Session session;
    private final SessionOutput output;
    private final Subscriptions subscriptions;
    private final SessionTracking tracking;
    private final Inbox inbox;

    /** Creates the pushes to a session whose replies go to an output; the taker runs when a push has come. */
    Pushes(Session session, SessionOutput output, Runnable taker) {
        this.session = session;
        this.output = output;
        this.subscriptions = new Subscriptions(session.node().channels());
        this.tracking = new SessionTracking(session.node().tracking());
        this.inbox = new Inbox(session.link(), this::mayWait, taker);
    }

    /** Returns whether a number of bytes may wait for the loop. Any thread may call this. */
    private boolean mayWait(long bytes) {
        return session.node().clientLimits().output(type()).allows(bytes);
    }

    Subscriptions subscriptions() {
        return subscriptions;
    }

    SessionTracking tracking() {
        return tracking;
    }

    /** Returns the inbox, where other threads leave pushes for the client. Any thread may call this. */
    Inbox inbox() {
        return inbox;
    }

    /** Returns the class of clients that this one belongs to. Any thread may call this. */
    ClientType type() {
        return session.client().isMonitoring() ? ClientType.REPLICA : listedType();
    }

    /** Returns the type in {@code CLIENT LIST} and {@code CLIENT KILL}: there a client that sees all commands is a normal one. */
    ClientType listedType() {
        return subscriptions.isEmpty() ? ClientType.NORMAL : ClientType.PUBSUB;
    }

    /** Writes the pushes that have come, even to a client that wants no replies. */
    void write() {
        if (inbox.isEmpty()) {
            return;
        }
        unsilenced(() -> inbox.drain(this::write));
    }

    /** Runs an action whose output goes even to a client that wants no replies, because it is not a reply. */
    void unsilenced(Runnable writing) {
        boolean silent = output.isSilent();
        output.setSilent(false);
        try {
            writing.run();
        } finally {
            output.setSilent(silent);
        }
    }

    private void write(Push push) {
        ReplyEncoder reply = session.reply();
        boolean taken = push instanceof Monitors.Line
                ? session.client().isMonitoring()
                : subscriptions.takes(push, reply.version());
        if (taken) {
            push.writeTo(reply);
        }
    }

    /** Ends all pushes to the client. */
    void end() {
        subscriptions.clear(inbox);
        tracking.end();
        session.node().monitors().remove(session);
    }
}
