package dev.larder.log.background;

import dev.larder.log.LogFailedException;
import dev.larder.log.SyncPolicy;
import dev.larder.log.sync.Syncer;
import dev.larder.memory.Storage;
import java.util.OptionalLong;

/** The sync at the pace of the policy {@link SyncPolicy#every}, if that is the policy. */
final class IntervalSync {

    private final Syncer syncer;
    private final Runnable present;
    private final OptionalLong intervalNanos;

    /** Less than any number at first: a process that was killed may have left something, even if this one appends nothing. */
    private long syncedBytes = -1;

    private long lastSyncNanos;

    /**
     * A sync that was not made yet.
     *
     * @param present fails the log whose files were removed: nobody else might ever tell a writer that only appends
     */
    IntervalSync(SyncPolicy policy, Syncer syncer, Storage storage, Runnable present) {
        this.syncer = syncer;
        this.present = present;
        this.intervalNanos = policy.kind() == SyncPolicy.Kind.INTERVAL
                ? OptionalLong.of(policy.interval().toNanos())
                : OptionalLong.empty();
        this.lastSyncNanos = storage.nanoTime();
    }

    /** Returns whether something was appended, or may have been left, since the last sync that is to be made durable. */
    boolean isPending(long appendedBytes) {
        return intervalNanos.isPresent() && appendedBytes != syncedBytes;
    }

    /** Returns when the next sync is due. */
    long dueNanos() {
        return lastSyncNanos + intervalNanos.orElse(0);
    }

    /** Syncs what is settled, if that is due; returns whether it was. */
    boolean run(long nowNanos, long appendedBytes) {
        if (!isPending(appendedBytes) || nowNanos - dueNanos() < 0) {
            return false;
        }
        lastSyncNanos = nowNanos;
        long before = syncedBytes;
        syncedBytes = appendedBytes; // also when it fails: a failed log is not synced again
        if (!syncSettled(before)) {
            syncedBytes = before; // what another left behind is still to be done, even if no append follows
        }
        return true;
    }

    private boolean syncSettled(long before) {
        try {
            present.run();
            return syncer.syncSettled();
        } catch (LogFailedException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            syncedBytes = before; // nothing was lost: tried again at the next time, even if no append follows
            throw e;
        }
    }
}
