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
 *  link      what loaders have left in the log                     no record of the segment is still to be linked
 *  clear     each record, proven, is dead, or carried to the end, or forgotten      Carrier
 *  sync      all that replaced or carried is durable
 *  drop      the segment does not exist any more, durably; where restore points are kept, at a later one: Emptied
 *  let go    when all have left who were inside: its file is used again
 * </pre>
 *
 * <p>A record carried is a put like any other: its position is above all that is linked, or it is claimed anew. So the
 * order of positions stays the order of changes, and a replay needs to know nothing of the cleaner. One thread of one
 * process at a time; any may be that one. Where it dies, the next one begins the segment again.
 */
public final class Cleaner {

    static {
        EarlyClasses.initialize(Attempt.class, Relocator.Standing.class);
    }

    private static final long NEVER = -1;
    private static final long TURN_NANOS = 10_000_000;

    /** As long as another process may be waited for, and one's own threads for as long as they take. */
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

    /** Since when the thread whose turn it is waits for changes to end; empty where it does not. */
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

    /** The steps of a put have other names when it is the cleaner's. */
    public static String ownName(String step) {
        return switch (step) {
            case "map.claimed" -> "clean.claimed";
            case "map.filled" -> "clean.filled";
            case "map.linked" -> "clean.linked";
            case "map.forgotten" -> "clean.forgotten";
            default -> "clean.committed";
        };
    }

    /** Says whether there is still something to do, asked when it is one's turn. */
    @FunctionalInterface
    interface Need {
        boolean isThere();
    }

    /** What became of an attempt to clean. */
    private enum Attempt {
        CLEANED,
        NOTHING,
        /** Another process is at it. */
        BUSY
    }

    /**
     * Cleans the oldest segment, if there is one that has ended, and still a need when it is this thread's turn; returns
     * whether there was one. Not interruptible: a thread that is interrupted stays so.
     *
     * @throws dev.larder.memory.CorruptException when a record is not what was written: nothing of it is copied, and the
     *     segment stays
     * @throws dev.larder.memory.DiskFullException when there is no room for what is alive in it
     * @throws LogBusyException when another process is at it for 10 s, or in the midst of a change
     */
    boolean cleanOldest(Need need) {
        return uninterrupted(() -> awaitRole(need, need, PATIENT) == Attempt.CLEANED);
    }

    /** The same, but where another process is at it: then there is nothing to do. */
    boolean cleanOldestAlone(Need need) {
        return uninterrupted(() -> inTurn(() -> attempt(need, PATIENT)) == Attempt.CLEANED);
    }

    /**
     * The same for who only helps: where another process is at it he waits as long as that is worth it, and for who is in the
     * midst of a change so long at most.
     *
     * @throws LogBusyException when somebody is for longer; nothing was cleaned
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
     * Waits for a thread that cleans, in its queue, but not for one that waits itself for so long: for who is in the midst of a
     * change. Returns whether this thread was interrupted meanwhile, which must not come to whom it calls.
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
                    + " ms for a thread or process that is in the middle of a change");
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
     * Tries until no other process cleans, or there is no need any more. Nobody has the turn meanwhile: who only helps, or
     * gives back what this process has dropped, would wait for the other process as well, which may be stopped. One that
     * gets on with it is not: so patience begins anew with each segment that goes.
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

    /** Returns the oldest segment that is not emptied; asked when it is one's turn. */
    int oldest() {
        return emptied.next(records.firstSegment());
    }

    /** Returns whether a segment has ended, and no pending record is needed that lies in it or before. */
    private boolean mayClean(int segment) {
        return segment < records.tailSegment() && !floor.keeps(segment);
    }

    /** Who has gone since may have died while it dropped a segment. */
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

    /** Returns whether the first record of the oldest segment has expired; asked when it is one's turn. */
    boolean isOldestExpired() {
        int oldest = oldest();
        return carrier.knowsDeadlines() && mayClean(oldest) && isFirstExpired(durable(oldest));
    }

    private boolean isFirstExpired(int segment) {
        try (CheckedRecords all = records.checked(segment)) {
            return carrier.isFirstExpired(all);
        }
    }

    /** Sees to it that a segment which has ended is durable: its seals count then. */
    private int durable(int segment) {
        if (Position.segment(log.durablePosition()) <= segment) {
            log.sync();
        }
        return segment;
    }

    /** Ends all cleaning of this process; waits for the thread that is at it. */
    public void end() {
        turn.lock();
        try {
            dropped.freeAll();
            ended = true;
        } finally {
            turn.unlock();
        }
    }

    /** Returns false where a pending record was being written to the segment, which is needed. */
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

    /** Drops emptied segments that no restore point needs any more. Another process may have dropped one already. */
    private void dropEmptied() {
        int first = records.firstSegment();
        for (int due = emptied.due(first); due >= 0; due = emptied.due(first)) {
            if (due >= first) {
                drop(due);
            }
            emptied.removeFirst();
            first = records.firstSegment();
        }
    }

    /** Takes note of a later restore point: what was emptied before that may go. */
    public void keepFrom(long restorePoint) {
        emptied.keepFrom(restorePoint);
    }

    /** Returns how many bytes the files take that are empty, and kept for a restore point. */
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

    /** Who has replaced something there may not have counted that yet. Where he takes long, the next segment sees to it. */
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

    /** After an error it may be gone, with its file still there: as where somebody has died at that. */
    private boolean dropFirst(int segment) {
        try {
            return records.dropFirst(segment);
        } catch (RuntimeException | Error e) {
            sweptDepartures = NEVER;
            throw e;
        }
    }

    /** Changes and reads end soon as a rule; whoever stays longer keeps the file, and nothing else. */
    private void awaitOthers() {
        long start = System.nanoTime();
        while (!dropped.letGo() && System.nanoTime() - start < LET_GO_NANOS) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /**
     * Unmaps what was dropped, by whichever process, and frees what this one has dropped, as far as those have left who were
     * inside; returns whether anything is still held.
     */
    boolean giveBack() {
        turn.lock();
        try {
            return !ended && !dropped.letGo();
        } finally {
            turn.unlock();
        }
    }

    /** Unmaps what was dropped, and frees nothing; returns whether anything is still held. */
    boolean leaveDropped() {
        turn.lock();
        try {
            return !ended && !dropped.leave();
        } finally {
            turn.unlock();
        }
    }

    /** Returns how many bytes the files take that were dropped while somebody was inside. */
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
