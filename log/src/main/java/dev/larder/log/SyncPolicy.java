package dev.larder.log;

import java.time.Duration;
import java.util.Objects;

/**
 * The policy by which a log makes appended records durable by itself.
 *
 * @param kind never, at a steady interval, or before each append returns
 * @param interval between two syncs, for {@link Kind#INTERVAL}: 1 ms to 1 hour
 */
public record SyncPolicy(Kind kind, Duration interval) {

    /** The kinds of policy. */
    public enum Kind {
        /** Only {@code sync()} makes records durable. */
        NONE,
        /**
         * Syncs in the background, after every interval with an append, and at close. Another process with this policy also
         * syncs what a killed process has left. It does so after its first interval; later, within two intervals, or two
         * seconds if that is more.
         */
        INTERVAL,
        /** Syncs before each append returns; concurrent writers share one flush. */
        EVERY_APPEND
    }

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Makes a policy; the interval must be in its range. */
    public SyncPolicy {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(interval, "interval");
        if (kind == Kind.INTERVAL && (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException("sync interval " + interval + " is not between 1 ms and 1 hour");
        }
    }

    /** Returns the policy that syncs only when {@code sync()} is called. */
    public static SyncPolicy none() {
        return new SyncPolicy(Kind.NONE, Duration.ZERO);
    }

    /** Returns the policy that syncs in the background. */
    public static SyncPolicy every(Duration interval) {
        return new SyncPolicy(Kind.INTERVAL, interval);
    }

    /** Returns the policy that syncs before an append returns. */
    public static SyncPolicy everyAppend() {
        return new SyncPolicy(Kind.EVERY_APPEND, Duration.ZERO);
    }
}
