package dev.larder.server;

import dev.larder.log.SyncPolicy;
import java.time.Duration;

/**
 * When an acknowledged write survives a crash of the machine. It survives a crash of the process at once.
 *
 * @param always whether every write is synced before its reply; concurrent writes share a sync
 * @param interval how long a write may wait for its sync otherwise, 1 ms to 1 hour; zero: until the operating system
 *     writes it
 */
public record Durability(boolean always, Duration interval) {

    /** A policy; the interval must be zero, or from 1 ms to 1 hour. */
    public Durability {
        if (!interval.isZero()) {
            SyncPolicy.every(interval); // throws
        }
    }

    /** Returns the policy of a sync each second. */
    public static Durability everySecond() {
        return new Durability(false, Duration.ofSeconds(1));
    }

    /** Returns the policy of a sync before each reply to a write. */
    public static Durability ofEveryWrite() {
        return new Durability(true, Duration.ZERO);
    }

    /** Returns the policy of no syncs. */
    public static Durability none() {
        return new Durability(false, Duration.ZERO);
    }
}
