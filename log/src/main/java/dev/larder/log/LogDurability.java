package dev.larder.log;

import java.time.Duration;
import java.util.Optional;

/**
 * What protects the records of a log, and when they reach the disk. Immutable; each {@code with} returns a changed copy.
 *
 * @param integrity what protects payloads; belongs to the log. Empty: as the log says, at creation
 *     {@link IntegrityMode#SEAL} where the boot of the machine and the mount can be told, else {@link IntegrityMode#RECORD};
 *     always that for a map, of which records are brought in from the disk one by one
 * @param sync when records are made durable without being asked
 * @param earlyWriteback whether write-back is started behind the writer, every 16 MiB
 */
public record LogDurability(Optional<IntegrityMode> integrity, SyncPolicy sync, boolean earlyWriteback) {

    /** Returns the defaults: a sync every second and at close, write-back behind the writer. */
    public static LogDurability defaults() {
        return new LogDurability(Optional.empty(), SyncPolicy.every(Duration.ofSeconds(1)), true);
    }

    /** Returns a copy with another {@link #integrity}. */
    public LogDurability withIntegrity(IntegrityMode mode) {
        return new LogDurability(Optional.of(mode), sync, earlyWriteback);
    }

    /** Returns a copy with another {@link #sync}. */
    public LogDurability withSync(SyncPolicy policy) {
        return new LogDurability(integrity, policy, earlyWriteback);
    }

    /** Returns a copy with another {@link #earlyWriteback}. */
    public LogDurability withEarlyWriteback(boolean early) {
        return new LogDurability(integrity, sync, early);
    }
}
