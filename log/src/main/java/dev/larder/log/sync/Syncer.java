package dev.larder.log.sync;

import dev.larder.log.FlightEvents;
import dev.larder.log.IntegrityMode;
import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogCounter;
import dev.larder.log.LogFailedException;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.retain.Bookmarks;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.LogFailure;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.write.Claims;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemLimitException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the settled end durable. Callers of one process share a leader; processes share the SYNC lock.
 *
 * <p>A flush that failed is never tried again. The kernel has marked the pages clean, so a second flush would succeed and
 * promise bytes that were never written. Instead the log is failed for all processes. {@code failed} is read again after the
 * flush, before the durable position is written: another's failed flush may have left clean pages to ours.
 */
public final class Syncer {

    private static final long WAIT_MAX_NANOS = 30_000_000_000L;
    private static final long STALL_NANOS = 1_000_000;
    private static final long PLACE_INTERVAL_NANOS = 100_000_000;
    private static final long PLACE_STRIDE_BYTES = 16L << 20;

    /** A log that grows by less has its place written every {@link #LATE_PLACE_NANOS}: there may be thousands of such logs. */
    private static final long SMALL_STRIDE_BYTES = 64 << 10;

    private static final long LATE_PLACE_NANOS = 10_000_000_000L;

    private final Path directory;
    private final Storage storage;
    private final Segments segments;
    private final ControlFile control;
    private final LockFile locks;
    private final Claims claims;
    private final LogFailure failure;
    private final Failpoints steps;
    private final CountersFile counters;
    private final SettledWalk walk;
    private final Segment.Flush flush;
    private final ReentrantLock leader = new ReentrantLock();
    private long lastPlaceNanos;
    private volatile @Nullable Bookmarks takenAlong;

    public Syncer(
            LogOptions options,
            Path directory,
            Segments segments,
            ControlFile control,
            LockFile locks,
            Claims claims,
            LogFailure failure,
            CountersFile counters) {
        this.directory = directory;
        this.storage = HookedOptions.storage(options);
        this.lastPlaceNanos = storage.nanoTime();
        this.steps = HookedOptions.of(options).failpoints();
        this.segments = segments;
        this.control = control;
        this.locks = locks;
        this.claims = claims;
        this.failure = failure;
        this.counters = counters;
        this.flush = control::flush;
        this.walk = new SettledWalk(segments, control, control.integrity() == IntegrityMode.SEAL);
    }

    /**
     * Makes everything before a position durable and returns the durable position, which is not below it. Waits for claims of
     * live writers before that position; resolves those of dead writers.
     *
     * @throws LogFailedException when a flush of this log has failed, now or earlier
     * @throws LogBusyException when a live writer, or another process's sync, holds it up for 30 s
     * @throws InterruptedWaitException when interrupted while it waits for another thread or process
     */
    public long sync(long upTo) {
        becomeLeader();
        try {
            return control.durableAcquire() >= upTo ? durable() : lead(upTo);
        } finally {
            leader.unlock();
        }
    }

    /**
     * Makes the settled range durable without waiting; for the background. Resolves claims of dead writers. Returns whether
     * nothing is left: false if another sync is running, or a live writer's claim stands before the rest.
     */
    public boolean syncSettled() {
        if (!leader.tryLock()) {
            return false;
        }
        try {
            return leadInBackground();
        } finally {
            leader.unlock();
        }
    }

    /** Sets the bookmarks that the syncs of the background make durable as well. */
    public void takeAlong(Bookmarks bookmarks) {
        takenAlong = bookmarks;
    }

    /** Becomes the leader. An interrupted thread fails only if it would have to wait. */
    private void becomeLeader() {
        try {
            if (!leader.tryLock()) {
                leader.lockInterruptibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedWaitException("interrupted while waiting for another sync of " + directory, e);
        }
    }

    /** Makes the bookmarks durable where they stand; the errors are those of {@link #sync}. */
    public void syncAlone(Bookmarks bookmarks) {
        becomeLeader();
        try {
            locks.lock(LockFile.SYNC, "the sync lock", WAIT_MAX_NANOS);
            try {
                failure.check();
                bookmarks.sync();
            } finally {
                locks.unlock(LockFile.SYNC);
            }
        } finally {
            leader.unlock();
        }
    }

    /** Walks and seals without flushing, unless another sync is running; returns whether it could. */
    public boolean sealSettled() {
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
            walk.resume();
            walk.advance(control.durableAcquire());
            return true;
        } finally {
            restAndUnlock();
        }
    }

    /** Leaves the log and unlocks. An error on the way out of the log keeps no other process from syncing. */
    private void restAndUnlock() {
        try {
            walk.rest();
        } finally {
            locks.unlock(LockFile.SYNC);
        }
    }

    private long durable() {
        failure.check();
        return control.durableAcquire();
    }

    private long lead(long upTo) {
        locks.lock(LockFile.SYNC, "the sync lock", WAIT_MAX_NANOS);
        try {
            failure.check();
            long before = control.durableAcquire();
            walk.resume();
            walk.advance(before);
            awaitSettled(upTo, before);
            return walk.position() > before ? flush(before) : before;
        } finally {
            restAndUnlock();
        }
    }

    private boolean leadInBackground() {
        if (!locks.tryLock(LockFile.SYNC)) {
            return false;
        }
        try {
            failure.check();
            long before = control.durableAcquire();
            walk.resume();
            boolean whole = advanceOverDeadClaims(before);
            if (walk.position() > before) {
                flush(before);
            }
            Bookmarks bookmarks = takenAlong;
            if (bookmarks != null && bookmarks.exist()) {
                bookmarks.sync();
            }
            return whole;
        } finally {
            restAndUnlock();
        }
    }

    /** Walks to the first claim of a live writer, or to the end; returns whether that is the end. */
    private boolean advanceOverDeadClaims(long durable) {
        walk.advance(durable);
        long word = walk.word();
        while (RecordWord.state(word) == RecordWord.RESERVED && claims.resolve(walk.segment(), walk.offset(), word)) {
            walk.advance(durable);
            word = walk.word();
        }
        return RecordWord.state(word) != RecordWord.RESERVED;
    }

    /** Waits until the settled end has reached a position. */
    private void awaitSettled(long upTo, long durable) {
        long start = storage.nanoTime();
        while (walk.position() < upTo) {
            long waited = storage.nanoTime() - start;
            if (waited > WAIT_MAX_NANOS) {
                throw new LogBusyException(directory + ": the record at " + Position.toString(walk.position())
                        + " is still being written by the live process in slot "
                        + (RecordWord.owner(walk.word()) >>> 16) + "; no later record can be made durable");
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
        Optional<SyncEvent> event = FlightEvents.ifRecorded(SyncEvent::start);
        long started = storage.nanoTime();
        long settled = walk.position();
        walk.sealRest(before);
        AccessErrors.deliver(); // bytes that could not be read have no checksum
        steps.reached("sync.sealed");
        flushSettled(before, settled);
        control.durableRelease(settled);
        steps.reached("sync.published");
        counters.add(LogCounter.SYNCS, 1, LogCounter.SYNC_NANOS, storage.nanoTime() - started);
        event.ifPresent(told -> told.finish(settled));
        return settled;
    }

    /**
     * Makes the settled end durable, or fails the log. An error of the JVM outside of a flush does not fail the log: nothing
     * was lost, and the next sync begins where this one did.
     */
    private void flushSettled(long before, long settled) {
        try {
            forceSegments(before, settled);
            failure.check();
            steps.reached("sync.flushed");
            writePlace(settled);
            AccessErrors.deliver();
        } catch (SystemLimitException e) {
            throw e; // no descriptor, or no mapping: likewise
        } catch (StorageException | InternalError e) {
            control.failFlush();
            throw failure.failed("a flush failed", e);
        } catch (Error e) {
            if (control.failedVolatile() != 0) {
                throw failure.failed("a flush failed", e);
            }
            throw e;
        }
    }

    private void forceSegments(long before, long settled) {
        int last = walk.segment().number;
        for (int number = Position.segment(before); number < last; number++) {
            if (!segments.isDropped(number)) {
                forceWhole(number);
            }
        }
        long durableOffset = Position.segment(before) == last ? Position.offset(before) : 0;
        forceUnlessDropped(walk.segment(), durableOffset, walk.offset() + RecordWord.BYTES);
        if (Position.segment(before) < Position.segment(settled)) {
            control.flushNames(storage, directory);
        }
    }

    /** Flushes a whole segment; a dropped one needs no flush. */
    private void forceWhole(int number) {
        Lane lane = new Lane();
        Optional<Segment> there = segments.enter(lane, number);
        if (there.isEmpty() && !segments.isDropped(number)) {
            throw new StorageException(segments.files().path(number) + ": segment is missing");
        }
        there.ifPresent(segment -> {
            try {
                forceUnlessDropped(segment, 0, segment.limit);
            } finally {
                segments.leave(lane, segment);
            }
        });
    }

    /** Flushes a part of a segment. Opens the file again if its descriptor was closed; finds none if it was dropped meanwhile. */
    private void forceUnlessDropped(Segment segment, long durableOffset, long end) {
        try {
            segment.forceAfter(durableOffset, end, storage, flush);
        } catch (CorruptException e) {
            if (!segments.isDropped(segment.number)) {
                throw e;
            }
        }
    }

    /**
     * Stores the place where a walk after a power loss begins. Without checksums of payloads nothing beyond it is trusted, so
     * each sync stores one. Otherwise it only saves walking, and tells damage from records that were never synced. That is
     * worth a second flush only now and then.
     *
     * <p>It is durable before the next one is stored over the other copy. The kernel may write a page back in the middle of
     * that store, and one of the two copies must be whole.
     */
    private void writePlace(long settled) {
        Optional<ControlFile.Place> last = control.place();
        long now = storage.nanoTime();
        long grown = settled - last.map(ControlFile.Place::position).orElse(0L);
        long interval = grown < SMALL_STRIDE_BYTES ? LATE_PLACE_NANOS : PLACE_INTERVAL_NANOS;
        boolean due = control.integrity() == IntegrityMode.NONE
                || grown >= PLACE_STRIDE_BYTES
                || now - lastPlaceNanos >= interval;
        if (due) {
            long counter = last.map(ControlFile.Place::counter).orElse(0L);
            control.forcePlace(new ControlFile.Place(counter + 1, settled, walk.segment().salt));
            lastPlaceNanos = now;
        }
    }
}
