package dev.larder.queue;

import java.time.Duration;
import java.util.Objects;

/**
 * The options of a {@link QueueReplication}.
 *
 * @param scope which messages are copied
 * @param name a named tailer of the source that stays where the copy is durable, so retention by age keeps messages that the
 *     copy lacks; empty for none
 * @param firstPause how long to wait before the second connection, at least 1 ms
 * @param longestPause the limit up to which the pause doubles while there is no connection, at most 1 day
 */
public record ReplicationOptions(CopyScope scope, String name, Duration firstPause, Duration longestPause) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final ReplicationOptions DEFAULTS =
            new ReplicationOptions(CopyScope.COMMITTED, "", Duration.ofMillis(100), Duration.ofSeconds(10));

    /** Checks the values. */
    public ReplicationOptions {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(firstPause, "firstPause");
        Objects.requireNonNull(longestPause, "longestPause");
        if (firstPause.compareTo(SHORTEST) < 0
                || longestPause.compareTo(firstPause) < 0
                || longestPause.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("pauses from " + firstPause + " to " + longestPause
                    + ": the first is at least 1 ms, and the longest at least the first and at most 1 day");
        }
    }

    /** Returns the defaults: all committed messages, no name, pauses from 100 ms to 10 s. */
    public static ReplicationOptions defaults() {
        return DEFAULTS;
    }

    /** Returns a copy with another {@link #scope}. */
    public ReplicationOptions withScope(CopyScope other) {
        return new ReplicationOptions(other, name, firstPause, longestPause);
    }

    /** Returns a copy with another {@link #name}. */
    public ReplicationOptions withName(String other) {
        return new ReplicationOptions(scope, other, firstPause, longestPause);
    }

    /** Returns a copy with other pauses. */
    public ReplicationOptions withPauses(Duration first, Duration longest) {
        return new ReplicationOptions(scope, name, first, longest);
    }
}
