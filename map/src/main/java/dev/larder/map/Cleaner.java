package dev.larder.map;

import dev.larder.log.CheckedRecords;
import dev.larder.log.Log;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogRecords;
import dev.larder.log.Position;
import dev.larder.log.Steps;
import dev.larder.memory.ClosedException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Empties the oldest segment of the log, and gives it back.
 *
 * <pre>
 *  wait      until every change that was under way has ended       no claim is left in the segment
 *  for each record, proven:
 *    its key's word is another's                                   dead; the other one was committed by the look
 *    its word, a value                                             carry: put it again, if its word is still this one
 *    its word, a removal                                           forget: nothing older is in the log
 *  sync      all that replaced or carried is durable
 *  drop      the segment does not exist any more, durably
 *  let go    when all have left who were inside: its file is used again
 * </pre>
 *
 * <p>A record carried is a put like any other: its position is above all that is linked, or it is claimed anew. So the
 * order of positions stays the order of changes, and a replay needs to know nothing of the cleaner. One thread at a time;
 * any may be that one.
 */
final class Cleaner {

    private static final long LET_GO_NANOS = 2_000_000;
    private static final long PAUSE_NANOS = 20_000;

    /** A segment that was dropped, and the last epochs in which somebody may have found the way to it. */
    private record Dropped(int segment, long bytes, long changeEpoch, long readEpoch) {}

    private final Log log;
    private final LogRecords records;
    private final Index index;
    private final Epochs changes;
    private final Epochs reads;
    private final Steps steps;
    private final long seed;
    private final EntryStore store;
    private final Probe probe = new Probe();
    private final Deque<Dropped> dropped = new ArrayDeque<>();
    private final ReentrantLock turn = new ReentrantLock();
    private boolean ended;
    private final AtomicLong droppedBytes = new AtomicLong();
    private final AtomicLong cleanedBytes = new AtomicLong();
    private final AtomicLong carriedBytes = new AtomicLong();
    private volatile @Nullable Throwable failure;

    Cleaner(
            Log log,
            LogRecords records,
            Index index,
            Epochs changes,
            Epochs reads,
            EntryStore.Claims claims,
            Steps steps,
            long seed) {
        this.log = log;
        this.records = records;
        this.index = index;
        this.changes = changes;
        this.reads = reads;
        this.steps = steps;
        this.seed = seed;
        this.store = new EntryStore(log.directory(), index, records, claims, step -> steps.reached(ownName(step)));
    }

    /** The steps of a put have other names when it is the cleaner's. */
    private static String ownName(String step) {
        return switch (step) {
            case "map.claimed" -> "clean.claimed";
            case "map.filled" -> "clean.filled";
            case "map.linked" -> "clean.linked";
            default -> "clean.committed";
        };
    }

    /** Says whether there is still something to do, asked when it is one's turn. */
    @FunctionalInterface
    interface Need {
        boolean isThere();
    }

    /**
     * Cleans the oldest segment, if there is one that has ended, and still a need when it is this thread's turn; returns
     * whether there was one. Not interruptible: a thread that is interrupted stays so.
     *
     * @throws dev.larder.memory.CorruptException when a record is not what was written: nothing of it is copied, and the
     *     segment stays
     * @throws dev.larder.memory.DiskFullException when there is no room for what is alive in it
     */
    boolean cleanOldest(Need need) {
        boolean interrupted = Thread.interrupted();
        turn.lock();
        try {
            requireOpen();
            letGo();
            int oldest = records.firstSegment();
            boolean any = need.isThere() && oldest < records.tailSegment();
            if (any) {
                clean(oldest);
                failure = null;
            }
            return any;
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            turn.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void requireOpen() {
        if (ended) {
            throw new ClosedException(log.directory() + ": the map was closed");
        }
    }

    /** Ends all cleaning; waits for the thread that is at it. */
    void end() {
        turn.lock();
        try {
            letGo();
            ended = true;
        } finally {
            turn.unlock();
        }
    }

    private void clean(int segment) {
        changes.awaitOthers();
        if (Position.segment(log.durablePosition()) <= segment) {
            log.sync();
        }
        CheckedRecords all = records.checked(segment);
        while (all.next()) {
            clean(all);
        }
        steps.reached("clean.scanned");
        log.sync();
        steps.reached("clean.synced");
        drop(segment);
    }

    private void clean(CheckedRecords record) {
        long position = record.position();
        MemorySegment bytes = record.bytes();
        long at = LogRecords.payload(position);
        int keyLength = EntryLayout.keyLength(bytes, at);
        MemorySegment.copy(bytes, at + EntryLayout.HEADER_BYTES, probe.keyOf(keyLength), 0, keyLength);
        probe.hash(seed);
        int line = changes.pinAnyway();
        try {
            if (EntryLayout.isRemoval(EntryLayout.kind(bytes, at))) {
                forget(position);
            } else {
                carry(position, bytes, at + EntryLayout.HEADER_BYTES + keyLength, record.length());
            }
        } finally {
            changes.unpin(line);
        }
    }

    private void forget(long position) {
        store.find(probe);
        while (probe.state() == position && !index.forget(probe)) {
            store.find(probe);
        }
        steps.reached("clean.forgotten");
    }

    /** What replaced the record is committed by the look that finds it, so it counts before this one goes. */
    private void carry(long position, MemorySegment bytes, long valueAt, int length) {
        int valueLength = length - EntryLayout.HEADER_BYTES - probe.keyLength;
        boolean carried = store.put(
                probe,
                valueLength,
                (record, to) -> MemorySegment.copy(bytes, valueAt, record, to, valueLength),
                Condition.unchanged(position));
        if (carried) {
            carriedBytes.addAndGet(LogRecords.sizeBytes(length));
        }
    }

    private void drop(int segment) {
        long bytes = records.fileBytes(segment);
        if (!records.dropFirst(segment)) {
            throw new LogBusyException(log.directory() + ": segment " + segment
                    + " cannot be dropped: a bookmark stands in it, or a process that has the log open has"
                    + " claimed a record");
        }
        steps.reached("clean.dropped");
        index.places().advance(segment + 1);
        index.live().cleanedTo(Position.of(segment + 1, 0));
        dropped.add(new Dropped(segment, bytes, changes.advance(), reads.advance()));
        droppedBytes.addAndGet(bytes);
        cleanedBytes.addAndGet(bytes);
        awaitOthers();
        letGo();
    }

    /** Changes and reads end soon as a rule; whoever stays longer keeps the file, and nothing else. */
    private void awaitOthers() {
        long start = System.nanoTime();
        while (!hasPassed(dropped.getLast()) && System.nanoTime() - start < LET_GO_NANOS) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean hasPassed(Dropped segment) {
        return changes.hasPassed(segment.changeEpoch) && reads.hasPassed(segment.readEpoch);
    }

    private void letGo() {
        while (!dropped.isEmpty() && hasPassed(dropped.getFirst())) {
            Dropped first = dropped.removeFirst();
            droppedBytes.addAndGet(-first.bytes);
            records.letGo(first.segment);
            steps.reached("clean.freed");
        }
    }

    /** Gives back what was dropped while somebody was inside, if he has left; returns whether anything is still held. */
    boolean giveBack() {
        turn.lock();
        try {
            letGo();
            return !dropped.isEmpty();
        } finally {
            turn.unlock();
        }
    }

    /** Returns how many bytes the files take that were dropped while somebody was inside. */
    long droppedBytes() {
        return droppedBytes.get();
    }

    long cleanedBytes() {
        return cleanedBytes.get();
    }

    long carriedBytes() {
        return carriedBytes.get();
    }

    /** Returns why the last cleaning failed, if it did. */
    @Nullable
    Throwable failure() {
        return failure;
    }
}
