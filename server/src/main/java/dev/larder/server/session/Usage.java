package dev.larder.server.session;

import dev.larder.server.client.ClientLimits;
import dev.larder.server.client.ClientType;
import dev.larder.server.client.OutputLimit;
import org.jspecify.annotations.Nullable;

/** Compares what a session takes with the limits. Used by its loop, except {@link #isSoft}. */
final class Usage {

    private static final long NEVER = -1;
    private static final int NANOS_A_SECOND = 1_000_000_000;

    private final Session session;
    private final ClientLimits limits;

    /** Since when the waiting bytes exceed the soft limit. */
    private volatile long softSinceNanos = NEVER;

    Usage(Session session) {
        this.session = session;
        this.limits = session.node().clientLimits();
    }

    /** Returns whether the waiting bytes exceed the soft limit, as far as is known. Any thread may call this. */
    boolean isSoft() {
        return softSinceNanos != NEVER;
    }

    /** Returns why the client has to be closed; null if it need not be. */
    @Nullable
    String excess() {
        if (session.link().queryBytes() + session.transaction().sizeBytes() > limits.queryMaxBytes()) {
            return "has more bytes of requests waiting than client-query-buffer-limit " + limits.queryMaxBytes();
        }
        ClientType type = session.pushes().type();
        OutputLimit limit = limits.output(type);
        boolean overflown =
                session.pushes().inbox().isOverflown(); // it refuses all that comes, whatever the limit is now
        if (limit.equals(OutputLimit.NONE) && !overflown) {
            return null;
        }
        long pending = session.link().pendingBytes();
        boolean fits = limit.allows(pending) && !overflown;
        return fits && !isSoftTooLong(limit, pending)
                ? null
                : "has " + pending + " bytes waiting, more than client-output-buffer-limit " + type + " allows";
    }

    private boolean isSoftTooLong(OutputLimit limit, long pending) {
        if (!limit.isSoft(pending)) {
            softSinceNanos = NEVER;
            return false;
        }
        long now = System.nanoTime();
        if (softSinceNanos == NEVER) {
            softSinceNanos = now == NEVER ? 0 : now;
            return false;
        }
        return (now - softSinceNanos) / NANOS_A_SECOND > limit.softSeconds();
    }
}
