package dev.larder.server.session;

import dev.larder.server.client.ClientLimits;
import dev.larder.server.client.ClientType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Closes clients that are idle for too long, that do not take what they are sent, or that take too much memory. */
final class ClientWatch {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final int MILLIS = 1000;

    private final Map<Long, Session> sessions;
    private final ClientLimits limits;

    ClientWatch(Map<Long, Session> sessions, ClientLimits limits) {
        this.sessions = sessions;
        this.limits = limits;
    }

    /** Checks all clients. Called several times a second, by one thread. */
    void tick(long nowMillis) {
        long idleMaxSeconds = limits.idleMaxSeconds();
        long idleMaxMillis = idleMaxSeconds * MILLIS;
        for (Session session : sessions.values()) {
            if (session.usage().isSoft()) {
                session.link().execute(session::endTurn);
            }
            long since = nowMillis - idleMaxMillis;
            if (idleMaxMillis > 0 && isIdle(session, since)) {
                session.link()
                        .execute(
                                () -> session.closeIfIdle(since, "was idle for longer than timeout " + idleMaxSeconds));
            }
        }
        if (limits.memoryMaxBytes() > 0) {
            evict();
        }
    }

    private static boolean isIdle(Session session, long sinceMillis) {
        return session.lastMillis() < sinceMillis
                && session.pushes().type() == ClientType.NORMAL
                && !session.isBlocked();
    }

    /** A client that may be closed, and the bytes that it takes. */
    private record Candidate(Session session, long bytes) {}

    /** Closes the largest clients until the rest takes no more than the limit. */
    private void evict() {
        List<Candidate> candidates = new ArrayList<>();
        long bytes = 0;
        for (Session session : sessions.values()) {
            boolean counts = !session.client().isStaying() && !session.client().isMonitoring();
            if (counts) {
                long own = ClientLine.memoryBytes(session);
                candidates.add(new Candidate(session, own));
                bytes += own;
            }
        }
        candidates.sort(Comparator.comparingLong(Candidate::bytes).reversed());
        for (Candidate largest : candidates) {
            if (bytes <= limits.memoryMaxBytes()) {
                return;
            }
            largest.session
                    .halt()
                    .close("takes " + largest.bytes
                            + " bytes, more than any other client, and all clients take more than maxmemory-clients "
                            + limits.memoryMaxBytes());
            bytes -= largest.bytes;
        }
    }

    static void log(Session session, String reason) {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "the server closes client " + session.id() + " "
                        + session.link().remoteAddress() + ": it " + reason);
    }
}
