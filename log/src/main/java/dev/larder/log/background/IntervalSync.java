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
 * The sync at the pace of the policy {@link SyncPolicy#every}, if that is the policy.
 *
 * <pre>
 * this process has appended     sync, an interval after the last one
 * it has not                    look each interval: is something there, and has nobody synced since the look before?
 * </pre>
 *
 * Others sync by policies of their own as long as they live. What a killed one has left is found by such a look.
 */
final class IntervalSync {

    /** Between two looks, at the least: a thousand idle logs must not be felt. */
    private static final long LOOK_MIN_NANOS = 1_000_000_000L;

    /** Less than any number: a process that was killed may have left something, even if this one appends nothing. */
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
     * A sync that was not made yet.
     *
     * @param present fails the log whose files were removed: nobody else might ever tell a writer that only appends
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

    /** Returns whether something was appended, or may have been left, since the last sync that is to be made durable. */
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

    /** Returns whether a look is due: where rounds come often enough, none is taken between them. */
    boolean isLookDue(long nowNanos, long appendedBytes) {
        return intervalNanos.isPresent() && !isPending(appendedBytes) && nowNanos - lastLookNanos >= lookNanos();
    }

    /**
     * Looks whether others have left something, while no sync is pending; returns whether one is from now on. It is not where
     * somebody has synced since the last look: whoever it was will do so again.
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
