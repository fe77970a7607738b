package dev.larder.server.session;

import dev.larder.resp.ReplyEncoder;
import dev.larder.server.client.ClientType;
import dev.larder.server.client.Inbox;
import dev.larder.server.client.SessionOutput;
import dev.larder.server.push.Push;

/** What a session is sent without a request: why, and what waits. Of its loop, but for what is said to be of any thread. */
final class Pushes {

    private final Session session;
    private final SessionOutput output;
    private final Subscriptions subscriptions;
    private final SessionTracking tracking;
    private final Inbox inbox;

    /** Those of a session whose replies go to an output; the taker runs when something has come. */
    Pushes(Session session, SessionOutput output, Runnable taker) {
        this.session = session;
        this.output = output;
        this.subscriptions = new Subscriptions(session.node().channels());
        this.tracking = new SessionTracking(session.node().tracking());
        this.inbox = new Inbox(session.link(), this::mayWait, taker);
    }

    /** Returns whether a number of bytes may wait for the loop. Any thread. */
    private boolean mayWait(long bytes) {
        return session.node().clientLimits().output(type()).allows(bytes);
    }

    Subscriptions subscriptions() {
        return subscriptions;
    }

    SessionTracking tracking() {
        return tracking;
    }

    /** Returns where others leave what the client is to be sent. Any thread. */
    Inbox inbox() {
        return inbox;
    }

    /** Returns the class of clients that this one belongs to. Any thread. */
    ClientType type() {
        if (session.client().isMonitoring()) {
            return ClientType.REPLICA;
        }
        return subscriptions.isEmpty() ? ClientType.NORMAL : ClientType.PUBSUB;
    }

    /** Writes what has come, also to a client that wants no replies. */
    void write() {
        if (inbox.isEmpty()) {
            return;
        }
        unsilenced(() -> inbox.drain(this::write));
    }

    /** Has something written also to a client that wants no replies: it is none. */
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
        if (subscriptions.takes(push, reply.version())) {
            push.writeTo(reply);
        }
    }

    /** Has the client sent nothing any more. */
    void end() {
        subscriptions.clear(inbox);
        tracking.end();
        session.node().monitors().remove(session);
    }
}
