package dev.larder.log;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The protection of a log's records, and when they reach the disk. Immutable; each {@code with} returns a changed copy.
 *
 * @param integrity what protects payloads; belongs to the log. Empty: the log's own mode. A new log then gets
 *     {@link IntegrityMode#SEAL} if the boot of the machine and the mount can be identified, else
 *     {@link IntegrityMode#RECORD}. A new map always gets {@code RECORD}, since its records are loaded from the disk one by
 *     one
 * @param sync when the log makes records durable by itself
 * @param earlyWriteback whether write-back is started behind the writer, every 16 MiB
 */
public record LogDurability(Optional<IntegrityMode> integrity, SyncPolicy sync, boolean earlyWriteback) {

    /** Makes a protection; no value may be null. */
    public LogDurability {
        Objects.requireNonNull(integrity, "integrity");
        Objects.requireNonNull(sync, "sync");
    }

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
