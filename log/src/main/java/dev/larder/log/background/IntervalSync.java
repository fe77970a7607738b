package dev.larder.log.background;

import dev.larder.log.LogFailedException;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.BackgroundTask;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.sync.Syncer;
import dev.larder.memory.Storage;
import java.util.OptionalLong;

/**
 * The sync at the pace of the policy {@link SyncPolicy#every}, if that is the policy.
 *
 * <pre>
 * this process has appended             sync, an interval after the last one
 * it has not, and others are there      look now and then: is there something that none of them has synced since?
 * </pre>
 *
 * Others sync by policies of their own as long as they live. What a killed one has left is found by such a look.
 */
final class IntervalSync {

    /** Between two looks, at the least: a thousand idle logs must not be felt. */
    private static final long LOOK_NANOS = 5_000_000_000L;

    private final Syncer syncer;
    private final Runnable present;
    private final ControlFile control;
    private final OtherProcesses others;
    private final OptionalLong intervalNanos;

    /** Less than any number at first: a process that was killed may have left something, even if this one appends nothing. */
    private long syncedBytes = -1;

    private long lastSyncNanos;
    private long lastLookNanos;

    /** The durable position at the last look; less than any at first. */
    private long seenDurable = -1;

    /**
     * A sync that was not made yet.
     *
     * @param present fails the log whose files were removed: nobody else might ever tell a writer that only appends
     */
    IntervalSync(
            SyncPolicy policy,
            Syncer syncer,
            ControlFile control,
            OtherProcesses others,
            Storage storage,
            Runnable present) {
        this.syncer = syncer;
        this.present = present;
        this.control = control;
        this.others = others;
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

    /** Returns how long until the next look is due, where no sync is pending. */
    long untilLookNanos(long nowNanos) {
        return intervalNanos.isPresent()
                ? Math.max(0, lastLookNanos + lookNanos() - nowNanos)
                : BackgroundTask.UNTIL_WOKEN;
    }

    private long lookNanos() {
        return Math.max(LOOK_NANOS, intervalNanos.orElse(0));
    }

    /** Syncs what is settled, if that is due; returns whether it was. */
    boolean run(long nowNanos, long appendedBytes) {
        if (!isPending(appendedBytes)) {
            return untilLookNanos(nowNanos) == 0 && look(nowNanos);
        }
        if (nowNanos - dueNanos() < 0) {
            return false;
        }
        lastSyncNanos = nowNanos;
        lastLookNanos = nowNanos;
        long before = syncedBytes;
        syncedBytes = appendedBytes; // also when it fails: a failed log is not synced again
        if (!syncSettled(before)) {
            syncedBytes = before; // what another left behind is still to be done, even if no append follows
        }
        return true;
    }

    /** Syncs what others have left, unless one of them has synced since the last look: it will do so again. */
    private boolean look(long nowNanos) {
        lastLookNanos = nowNanos;
        if (!others.mayHaveAppended()) {
            return false;
        }
        long durable = control.durableAcquire();
        if (durable != seenDurable) {
            seenDurable = durable;
            return false;
        }
        long dead = others.registrationsOfTheDead();
        if (syncSettled(syncedBytes)) {
            others.finish(dead);
        }
        seenDurable = control.durableAcquire();
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
