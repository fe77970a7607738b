package dev.larder.log.background;

import dev.larder.log.LogFailedException;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.BackgroundTask;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.sync.Syncer;
import dev.larder.memory.Storage;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * The sync at the interval of the policy {@link SyncPolicy#every}, if that is the policy.
 *
 * <pre>
 * this process has appended     sync, an interval after the last one
 * it has not                    look each interval: is something there, and was there no sync since the last look?
 * </pre>
 *
 * Other processes sync by policies of their own as long as they live. Such a look finds what a killed process has left.
 */
final class IntervalSync {

    /** The least time between two looks: a thousand idle logs must cost almost nothing. */
    private static final long LOOK_MIN_NANOS = 1_000_000_000L;

    /** Less than any number of bytes: a killed process may have left something, even if this one appends nothing. */
    private static final long UNKNOWN = -1;

    private final Syncer syncer;
    private final Runnable present;
    private final ControlFile control;
    private final OptionalLong intervalNanos;

    private long syncedBytes = UNKNOWN;
    private long lastSyncNanos;
    private long lastLookNanos;

    /** The durable position at the last look, or {@link #UNKNOWN}. */
    private long seenDurable = UNKNOWN;

    /**
     * An interval sync whose first interval begins now.
     *
     * @param present fails the log if its files were removed; a writer that only appends might never notice otherwise
     */
    IntervalSync(SyncPolicy policy, Syncer syncer, ControlFile control, Storage storage, Runnable present) {
        this.syncer = syncer;
        this.present = present;
        this.control = control;
        this.intervalNanos = policy.kind() == SyncPolicy.Kind.INTERVAL
                ? OptionalLong.of(policy.interval().toNanos())
                : OptionalLong.empty();
        this.lastSyncNanos = storage.nanoTime();
        this.lastLookNanos = lastSyncNanos;
    }

    /** Returns whether records that must be made durable were appended, or may have been left, since the last sync. */
    boolean isPending(long appendedBytes) {
        return intervalNanos.isPresent() && appendedBytes != syncedBytes;
    }

    /** Returns when the next sync is due. */
    long dueNanos() {
        return lastSyncNanos + intervalNanos.orElse(0);
    }

    /** Returns the time between two looks. */
    long lookNanos() {
        return intervalNanos.isPresent()
                ? Math.max(LOOK_MIN_NANOS, intervalNanos.getAsLong())
                : BackgroundTask.UNTIL_WOKEN;
    }

    /** Returns whether a look is due. Where rounds come often enough, the task takes no look between them. */
    boolean isLookDue(long nowNanos, long appendedBytes) {
        return intervalNanos.isPresent() && !isPending(appendedBytes) && nowNanos - lastLookNanos >= lookNanos();
    }

    /**
     * Looks, while no sync is pending, whether other processes have left something. Returns whether a sync is pending from now
     * on. It is not where a process has synced since the last look: that process will do so again.
     *
     * @param end tells whether a position is the end of the log
     */
    boolean look(long nowNanos, LongPredicate end) {
        lastLookNanos = nowNanos;
        long durable = control.durableAcquire();
        boolean still = durable == seenDurable;
        seenDurable = durable;
        boolean left = still && !end.test(control.settledStart());
        if (left) {
            syncedBytes = UNKNOWN;
        }
        return left;
    }

    /** Syncs the settled records, if that is due; returns whether it was. */
    boolean run(long nowNanos, long appendedBytes) {
        if (!isPending(appendedBytes) || nowNanos - dueNanos() < 0) {
            return false;
        }
        lastSyncNanos = nowNanos;
        long before = syncedBytes;
        syncedBytes = appendedBytes; // also when the sync fails: a failed log is not synced again
        if (!syncSettled(before)) {
            syncedBytes = before; // what another process left is still to be synced, even without an append
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
            syncedBytes = before; // nothing was lost: the next round tries again, even if no append follows
            throw e;
        }
    }
}
