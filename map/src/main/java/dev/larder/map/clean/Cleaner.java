package dev.larder.map.clean;

import dev.larder.log.FlightEvents;
import dev.larder.log.Log;
import dev.larder.log.LogBusyException;
import dev.larder.log.Position;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.random.CheckedRecords;
import dev.larder.log.random.LogRecords;
import dev.larder.map.checkpoint.MapFiles;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.index.Index;
import dev.larder.map.shared.DroppedSegments;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.MapFile;
import dev.larder.map.shared.PendingFloor;
import dev.larder.map.shared.Processes;
import dev.larder.memory.ClosedException;
import dev.larder.memory.Words;
import dev.larder.memory.raw.EarlyClasses;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Empties the oldest segment of the log, and gives it back.
 *
 * <pre>
 *  wait      until every change that was under way has ended       no claim is left in the segment
 *  link      the records that loaders left in the log              no record of the segment is still to be linked
 *  clear     each record, verified, is dead, or copied to the end, or forgotten     Relocator
 *  sync      every record that replaced one, or is a copy, is durable
 *  drop      the segment is gone, durably; if restore points are kept, only at a later one, synced before: Emptied
 *  let go    once all threads that were inside have left: its file is used again
 * </pre>
 *
 * <p>A copied ("carried") record is a put like any other: its position is above all that is linked, or it is claimed anew. So
 * the order of positions stays the order of changes, and a replay needs no knowledge of the cleaner. One thread of one process
 * cleans at a time; any thread may. If it dies, the next one begins the segment again.
 */
public final class Cleaner {

    static {
        EarlyClasses.initialize(Attempt.class, Relocator.Standing.class);
    }

    private static final long NEVER = -1;
    private static final long TURN_NANOS = 10_000_000;

    /** Waits for changes of other processes as long as {@link Epochs} allows, and of own threads as long as they take. */
    private static final long PATIENT = Long.MAX_VALUE;

    private static final long LET_GO_NANOS = 2_000_000;
    private static final long COUNTED_NANOS = 100_000_000;
    private static final long PAUSE_NANOS = 20_000;
    private static final long OTHER_PAUSE_NANOS = 500_000;
    private static final long OTHER_NANOS = 10_000_000_000L;

    private final Log log;
    private final LogRecords records;
    private final MapFile map;
    private final MemorySegment shared;
    private final Processes processes;
    private final Index index;
    private final Epochs changes;
    private final Failpoints steps;
    private final Relocator carrier;
    private final LeftBatches batches;
    private final PendingFloor floor;
    private final DroppedSegments dropped;
    private final Unexpired unexpired;
    private final Emptied emptied;
    private final ReentrantLock turn = new ReentrantLock();
    private long sweptDepartures;
    private boolean ended;
    private volatile @Nullable Throwable failure;

    /** Since when the thread that holds the lock waits for changes to end; empty if it does not wait. */
    private volatile OptionalLong waitingSinceNanos = OptionalLong.empty();

    public Cleaner(
            MapFiles files,
            Processes processes,
            Index index,
            Epochs changes,
            Epochs reads,
            Relocator carrier,
            LeftBatches batches,
            PendingFloor floor,
            OptionalLong restorePoint,
            Failpoints steps) {
        this.batches = batches;
        this.floor = floor;
        this.log = files.log();
        this.records = files.records();
        this.map = files.map();
        this.shared = files.index().memory();
        this.emptied = new Emptied(shared, restorePoint);
        this.processes = processes;
        this.index = index;
        this.changes = changes;
        this.carrier = carrier;
        this.steps = steps;
        this.unexpired = new Unexpired(files, index, carrier);
        this.dropped = new DroppedSegments(records, changes, reads, processes, steps);
    }

    /** Returns the cleaner's name of a step of a put, for failpoints. */
    public static String ownName(String step) {
        return switch (step) {
            case "map.claimed" -> "clean.claimed";
            case "map.filled" -> "clean.filled";
            case "map.linked" -> "clean.linked";
            case "map.forgotten" -> "clean.forgotten";
            default -> "clean.committed";
        };
    }

    /** Returns whether there is still work; asked while the thread holds the lock. */
    @FunctionalInterface
    interface Need {
        boolean isThere();
    }

    /** The result of an attempt to clean. */
    private enum Attempt {
        CLEANED,
        NOTHING,
        /** Another process is cleaning. */
        BUSY
    }

    /**
     * Cleans the oldest segment if it has ended, and if there is still a need once this thread holds the lock. Returns whether
     * it cleaned one. Not interruptible: an interrupted thread stays interrupted.
     *
     * @throws dev.larder.memory.CorruptException when a record is not the one written: none of its bytes are copied, and the
     *     segment stays
     * @throws dev.larder.memory.DiskFullException when there is no room for the live records of the segment
     * @throws LogBusyException when another process cleans for 10 s, or is in the middle of a change
     */
    boolean cleanOldest(Need need) {
        return uninterrupted(() -> awaitRole(need, need, PATIENT) == Attempt.CLEANED);
    }

    /** Cleans the oldest segment as {@link #cleanOldest} does, but does nothing if another process is cleaning. */
    boolean cleanOldestAlone(Need need) {
        return uninterrupted(() -> inTurn(() -> attempt(need, PATIENT)) == Attempt.CLEANED);
    }

    /**
     * Cleans the oldest segment for a thread that only helps. While another process cleans, it waits as long as that is worth
     * it. It waits for changes under way no longer than the given time.
     *
     * @throws LogBusyException when a change takes longer; nothing was cleaned
     */
    boolean helpCleanOldest(Need need, Need worthWaiting, long nanos) {
        return uninterrupted(() -> awaitRole(need, worthWaiting, nanos) == Attempt.CLEANED);
    }

    private static boolean uninterrupted(BooleanSupplier work) {
        boolean interrupted = Thread.interrupted();
        try {
            return work.getAsBoolean();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits for the lock, behind other threads that clean. It gives up once the lock's holder has itself waited for a change
     * for so long. Returns whether this thread was interrupted meanwhile; the interrupt must not reach the code it calls.
     */
    private boolean takeTurn(long nanos) {
        boolean interrupted = false;
        boolean taken = false;
        try {
            while (!taken) {
                try {
                    taken = turn.tryLock(TURN_NANOS, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                if (!taken) {
                    requireProgress(nanos);
                }
            }
            return interrupted;
        } finally {
            if (interrupted && !taken) {
                Thread.currentThread().interrupt(); // it gives up
            }
        }
    }

    private void requireProgress(long nanos) {
        OptionalLong waiting = waitingSinceNanos;
        if (waiting.isPresent() && System.nanoTime() - waiting.getAsLong() > nanos) {
            throw new LogBusyException(log.directory() + ": the cleaner has waited for more than " + nanos / 1_000_000
                    + " ms for a thread or process in the middle of a change; is it stopped?");
        }
    }

    private Attempt inTurn(Supplier<Attempt> work) {
        turn.lock();
        return inTurnTaken(work);
    }

    private Attempt inTurnTaken(Supplier<Attempt> work) {
        try {
            requireOpen();
            dropped.letGo();
            return work.get();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            turn.unlock();
        }
    }

    private Attempt attempt(Need need, long nanos) {
        if (!map.tryClean()) {
            return Attempt.BUSY;
        }
        return cleanAsCleaner(need, nanos) ? Attempt.CLEANED : Attempt.NOTHING;
    }

    /**
     * Tries until no other process cleans, or there is no more need. The thread does not hold the lock between attempts.
     * Otherwise helpers, and threads that free dropped segments, would wait for the other process as well, which may be
     * stopped. A process that makes progress is not stopped: so the patience starts again with each segment that goes.
     */
    private Attempt awaitRole(Need need, Need worthWaiting, long nanos) {
        long start = System.nanoTime();
        int first = records.firstSegment();
        Attempt attempt = inTurn(need, nanos);
        while (attempt == Attempt.BUSY && worthWaiting.isThere()) {
            int now = records.firstSegment();
            start = now == first ? start : System.nanoTime();
            first = now;
            requirePatience(start);
            LockSupport.parkNanos(OTHER_PAUSE_NANOS);
            attempt = inTurn(need, nanos);
        }
        return attempt;
    }

    private Attempt inTurn(Need need, long nanos) {
        if (nanos == PATIENT) {
            return inTurn(() -> attempt(need, nanos));
        }
        boolean interrupted = takeTurn(nanos);
        try {
            return inTurnTaken(() -> attempt(need, nanos));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void requirePatience(long startNanos) {
        if (System.nanoTime() - startNanos > OTHER_NANOS) {
            LogBusyException busy = new LogBusyException(
                    log.directory() + ": another process has been cleaning the map for more than 10 s; is it stopped?");
            failure = busy;
            throw busy;
        }
    }

    private boolean cleanAsCleaner(Need need, long nanos) {
        try {
            sweep();
            batches.link();
            unexpired.estimate();
            dropEmptied();
            int oldest = oldest();
            boolean any = need.isThere() && mayClean(oldest) && clean(oldest, nanos);
            if (any) {
                failure = null;
            }
            return any;
        } finally {
            map.endClean();
        }
    }

    /** Returns the oldest segment that is not emptied; called with the lock held. */
    int oldest() {
        return emptied.next(records.firstSegment());
    }

    /** Returns whether a segment has ended, and neither it nor an earlier one holds a pending record that is needed. */
    private boolean mayClean(int segment) {
        return segment < records.tailSegment() && !floor.keeps(segment);
    }

    /** Sweeps if a process has left since the last sweep: it may have died while it dropped a segment. */
    private void sweep() {
        long departures = processes.departures();
        if (departures != sweptDepartures) {
            records.sweep();
            sweptDepartures = departures;
        }
    }

    private void requireOpen() {
        if (ended) {
            throw new ClosedException(log.directory() + ": the map was closed");
        }
    }

    /** Returns whether the first record of the oldest segment has expired; called with the lock held. */
    boolean isOldestExpired() {
        int oldest = oldest();
        return carrier.mayExpire() && mayClean(oldest) && isFirstExpired(durable(oldest));
    }

    private boolean isFirstExpired(int segment) {
        try (CheckedRecords all = records.checked(segment)) {
            return carrier.isFirstExpired(all);
        }
    }

    /** Ensures that a segment which has ended is durable: only then do its seals count. */
    private int durable(int segment) {
        if (Position.segment(log.durablePosition()) <= segment) {
            log.sync();
        }
        return segment;
    }

    /** Ends all cleaning of this process; waits for the thread that is cleaning. */
    public void end() {
        turn.lock();
        try {
            dropped.freeAll();
            ended = true;
        } finally {
            turn.unlock();
        }
    }

    /** Cleans a segment; returns false if a needed pending record was being written to it. */
    private boolean clean(int segment, long nanos) {
        Optional<CleaningEvent> event = FlightEvents.ifRecorded(CleaningEvent::start);
        long carriedBefore = carriedBytes();
        long bytes = records.fileBytes(segment);
        awaitChanges(nanos);
        if (floor.keeps(segment)) {
            return false;
        }
        batches.link(); // a loader may have given up, or died, while it was waited for
        batches.passOver(segment + 1);
        try (CheckedRecords all = records.checked(durable(segment))) {
            carrier.clear(all, segment, bytes);
        }
        Words.raise(shared, IndexFileLayout.EMPTIED_TO, segment + 1L);
        steps.reached("clean.scanned");
        if (emptied.keeps()) {
            emptied.add(segment, log.endPosition(), bytes);
        } else {
            log.sync();
            steps.reached("clean.synced");
            drop(segment);
        }
        index.memory().giveBackMemory();
        long carried = carriedBytes() - carriedBefore;
        event.ifPresent(told -> told.finish(log.directory(), segment, bytes, carried));
        return true;
    }

    /**
     * Drops emptied segments that no restore point still needs, once the copies of their records are durable: a restore point
     * need not be. Another process may have dropped one already.
     */
    private void dropEmptied() {
        int first = records.firstSegment();
        for (int due = emptied.due(first); due >= 0; due = emptied.due(first)) {
            if (due >= first) {
                if (log.durablePosition() < emptied.firstEnd()) {
                    log.sync();
                }
                drop(due);
            }
            emptied.removeFirst();
            first = records.firstSegment();
        }
    }

    /** Records a later restore point: segments emptied before it may go. */
    public void keepFrom(long restorePoint) {
        emptied.keepFrom(restorePoint);
    }

    /** Returns the bytes of the files of emptied segments that are kept for a restore point. */
    long emptiedBytes() {
        return emptied.bytes(records.firstSegment());
    }

    private void awaitChanges(long nanos) {
        waitingSinceNanos = OptionalLong.of(System.nanoTime());
        try {
            changes.awaitOthers(nanos);
        } finally {
            waitingSinceNanos = OptionalLong.empty();
        }
    }

    private void drop(int segment) {
        long bytes = records.fileBytes(segment);
        if (!dropFirst(segment)) {
            throw new LogBusyException(log.directory() + ": segment " + segment
                    + " cannot be dropped: a bookmark stands in it, or a process that has the log open has"
                    + " claimed a record");
        }
        steps.reached("clean.dropped");
        countExactly(Position.of(segment + 1, 0));
        dropped.add(segment, bytes);
        Words.getAndAdd(shared, IndexFileLayout.CLEANED_BYTES, bytes);
        awaitOthers();
    }

    /**
     * Waits for changes that replaced a record there, as they may not have counted it yet. If they take long, the cleaning of
     * the next segment does this.
     */
    private void countExactly(long position) {
        if (index.live().isExactFrom(position)) {
            try {
                changes.awaitOthers(COUNTED_NANOS);
            } catch (LogBusyException e) {
                return;
            }
            index.live().cleanedTo(position);
        }
    }

    /**
     * Drops the first segment. After an error it may be gone while its file is still there, as after the death of a process in
     * a drop.
     */
    private boolean dropFirst(int segment) {
        try {
            return records.dropFirst(segment);
        } catch (RuntimeException | Error e) {
            sweptDepartures = NEVER;
            throw e;
        }
    }

    /** Waits briefly for changes and reads, which end soon as a rule. One that takes longer only keeps the file. */
    private void awaitOthers() {
        long start = System.nanoTime();
        while (!dropped.letGo() && System.nanoTime() - start < LET_GO_NANOS) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /**
     * Unmaps the segments dropped by any process, and frees those dropped by this one once all threads inside have left.
     * Returns whether any is still held.
     */
    boolean giveBack() {
        turn.lock();
        try {
            return !ended && !dropped.letGo();
        } finally {
            turn.unlock();
        }
    }

    /** Unmaps the dropped segments, and frees none; returns whether any is still held. */
    boolean leaveDropped() {
        turn.lock();
        try {
            return !ended && !dropped.leave();
        } finally {
            turn.unlock();
        }
    }

    /** Returns the bytes of the files that were dropped while a thread was inside. */
    long droppedBytes() {
        return processes.droppedBytes();
    }

    long cleanedBytes() {
        return Words.getAcquire(shared, IndexFileLayout.CLEANED_BYTES);
    }

    long carriedBytes() {
        return Words.getAcquire(shared, IndexFileLayout.CARRIED_BYTES);
    }

    Relocator carrier() {
        return carrier;
    }

    /** Returns why the last cleaning failed, if it did. */
    @Nullable
    Throwable failure() {
        return failure;
    }
}
