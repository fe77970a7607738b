package dev.larder.log;

import dev.larder.log.LogCounters.Counter;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes the settled end durable; callers of one process share a leader, processes the SYNC lock.
 *
 * <p>A flush that failed is never tried again: the kernel has marked the pages clean, so a second one would succeed
 * and promise what was never written. The log is failed for everybody instead. {@code failed} is read again after the
 * flush, before the durable position is written: another's failed flush may have left clean pages to ours.
 */
final class Syncer {

    private static final long WAIT_MAX_NANOS = 30_000_000_000L;
    private static final long STALL_NANOS = 1_000_000;
    private static final int REASON_FLUSH = 1;

    private final Path directory;
    private final Storage storage;
    private final Segments segments;
    private final ControlFile control;
    private final LockFile locks;
    private final Claims claims;
    private final LogFailure failure;
    private final Steps steps;
    private final LogCounters counters;
    private final SettledWalk walk;
    private final ReentrantLock leader = new ReentrantLock();

    Syncer(
            LogOptions options,
            Path directory,
            Segments segments,
            ControlFile control,
            LockFile locks,
            Claims claims,
            LogFailure failure,
            LogCounters counters) {
        this.directory = directory;
        this.storage = options.storage();
        this.steps = options.steps();
        this.segments = segments;
        this.control = control;
        this.locks = locks;
        this.claims = claims;
        this.failure = failure;
        this.counters = counters;
        this.walk = new SettledWalk(segments, control.durableAcquire(), control.integrity() == IntegrityMode.SEAL);
    }

    /**
     * Makes everything before a position durable and returns the durable position, which is not below it. Waits for
     * claims of live writers before it; resolves those of dead ones.
     *
     * @throws LogFailedException when a flush of this log has failed, now or earlier
     * @throws LogBusyException when a live writer, or another process's sync, holds it up for 30 s
     * @throws InterruptedWaitException when interrupted while it waits for another
     */
    long sync(long upTo) {
        try {
            leader.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedWaitException("interrupted while waiting for another sync of " + directory, e);
        }
        try {
            return control.durableAcquire() >= upTo ? durable() : lead(upTo, true);
        } finally {
            leader.unlock();
        }
    }

    /** Makes what is settled durable, waiting for nobody; for the background. */
    void syncSettled() {
        if (leader.tryLock()) {
            try {
                lead(0, false);
            } finally {
                leader.unlock();
            }
        }
    }

    /** Walks and seals without flushing, where nobody syncs just now; returns whether it could. */
    boolean sealSettled() {
        if (!leader.tryLock()) {
            return false;
        }
        try {
            return sealUnderLock();
        } finally {
            leader.unlock();
        }
    }

    private boolean sealUnderLock() {
        if (!locks.tryLock(LockFile.SYNC)) {
            return false;
        }
        try {
            walk.advance(control.durableAcquire());
            return true;
        } finally {
            locks.unlock(LockFile.SYNC);
        }
    }

    /** Returns the settled end that the last walk of this process saw; racy, for the background. */
    long settled() {
        return walk.position();
    }

    private long durable() {
        failure.check();
        return control.durableAcquire();
    }

    private long lead(long upTo, boolean waiting) {
        if (waiting) {
            locks.lock(LockFile.SYNC, "the sync lock", WAIT_MAX_NANOS);
        } else if (!locks.tryLock(LockFile.SYNC)) {
            return control.durableAcquire();
        }
        try {
            failure.check();
            long before = control.durableAcquire();
            walk.advance(before);
            if (waiting) {
                awaitSettled(upTo, before);
            }
            return walk.position() > before ? flush(before) : before;
        } finally {
            locks.unlock(LockFile.SYNC);
        }
    }

    /** Waits until the settled end has reached a position. */
    private void awaitSettled(long upTo, long durable) {
        long start = storage.nanoTime();
        while (walk.position() < upTo) {
            long waited = storage.nanoTime() - start;
            if (waited > WAIT_MAX_NANOS) {
                throw new LogBusyException(directory + ": the record at " + Position.toString(walk.position())
                        + " is still being written by the live process in slot "
                        + (RecordWord.owner(walk.word()) >>> 16) + "; nothing behind it can be made durable");
            }
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new InterruptedWaitException("interrupted while waiting to sync " + directory);
            }
            pauseOrResolve(waited);
            walk.advance(durable);
        }
    }

    private void pauseOrResolve(long waited) {
        long word = walk.word();
        if (waited < STALL_NANOS) {
            Thread.onSpinWait();
        } else if (RecordWord.state(word) != RecordWord.RESERVED
                || !claims.resolve(walk.segment(), walk.offset(), word)) {
            LockSupport.parkNanos(STALL_NANOS);
        }
    }

    private long flush(long before) {
        SyncEvent event = SyncEvent.start();
        long started = storage.nanoTime();
        long settled = walk.position();
        try {
            walk.sealRest(before);
            steps.reached("sync.sealed");
            forceSegments(before, settled);
            failure.check();
            steps.reached("sync.flushed");
            writePlace(settled);
        } catch (StorageException | InternalError e) {
            control.fail(REASON_FLUSH, 0);
            throw failure.failed("a flush failed", e);
        }
        control.durableRelease(settled);
        steps.reached("sync.published");
        counters.add(Counter.SYNCS, 1);
        counters.add(Counter.SYNC_NANOS, storage.nanoTime() - started);
        event.finish(settled);
        return settled;
    }

    private void forceSegments(long before, long settled) {
        int last = walk.segment().number;
        for (int number = Position.segment(before); number < last; number++) {
            forceWhole(number);
        }
        walk.segment().force(walk.offset() + RecordWord.BYTES, storage);
        if (Position.segment(before) < Position.segment(settled)) {
            storage.syncDirectory(directory);
        }
    }

    private void forceWhole(int number) {
        Segment segment = segments.acquire(number)
                .orElseThrow(() -> new StorageException(segments.path(number) + ": segment is missing"));
        try {
            segment.force(segment.limit, storage);
        } finally {
            segments.release(segment);
        }
    }

    /** Without checksums of payloads nothing beyond the place is believed, so it must be durable itself. */
    private void writePlace(long settled) {
        long counter = control.place().map(ControlFile.Place::counter).orElse(0L);
        control.place(new ControlFile.Place(counter + 1, settled, walk.segment().salt));
        if (control.integrity() == IntegrityMode.NONE) {
            control.force();
        }
    }

    void close() {
        leader.lock();
        try {
            walk.close();
        } finally {
            leader.unlock();
        }
    }
}
