package dev.larder.map.shared;

import dev.larder.log.layer.Failpoints;
import dev.larder.log.random.LogRecords;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The dropped segments that this process still has mapped, whichever process dropped them, and the segments that this process
 * dropped and whose files it frees.
 *
 * <pre>
 * dropped by any process   all threads here have left        no other process has it mapped, or a second has passed
 *                        ->  unmapped here                   ->  (its dropper) its file is used again, or deleted
 * </pre>
 *
 * So a file is used again only after every process has unmapped it. A thread that reads a record without a pin finds what was
 * written, or an error. Used by one thread at a time.
 */
public final class DroppedSegments {

    private static final long OTHERS_NANOS = 1_000_000_000L;

    /** The segments before one, and the last epochs in which a thread may have found the way to them. */
    private record Leaving(int first, long changeEpoch, long readEpoch) {}

    /** A segment that this process has dropped. */
    private record Dropped(int segment, long bytes, long nanos) {}

    private final LogRecords records;
    private final Epochs changes;
    private final Epochs reads;
    private final Processes processes;
    private final Failpoints steps;
    private final Deque<Leaving> leaving = new ArrayDeque<>();
    private final Deque<Dropped> unfreed = new ArrayDeque<>();
    private long unfreedBytes;
    private int seen;
    private int left;

    public DroppedSegments(LogRecords records, Epochs changes, Epochs reads, Processes processes, Failpoints steps) {
        this.records = records;
        this.changes = changes;
        this.reads = reads;
        this.processes = processes;
        this.steps = steps;
        this.seen = records.firstSegment();
        this.left = seen;
    }

    /** Records that this process has dropped a segment. */
    public void add(int segment, long bytes) {
        unfreed.addLast(new Dropped(segment, bytes, System.nanoTime()));
        count(bytes);
    }

    private void count(long more) {
        unfreedBytes += more;
        processes.droppedBytes(unfreedBytes);
    }

    /** Unmaps the segments that it can; returns whether none is left. */
    public boolean leave() {
        follow();
        while (!leaving.isEmpty() && hasPassed(leaving.getFirst())) {
            left = leaving.removeFirst().first;
            records.leaveBefore(left);
        }
        return leaving.isEmpty();
    }

    /** Unmaps and frees the segments that it can; returns whether none is left of either. The next call retries what fails. */
    public boolean letGo() {
        boolean none = leave();
        while (!unfreed.isEmpty() && mayFree(unfreed.getFirst())) {
            free(unfreed.getFirst());
            unfreed.removeFirst();
        }
        return none && unfreed.isEmpty();
    }

    private void follow() {
        int first = records.firstSegment();
        if (first > seen) {
            seen = first;
            leaving.addLast(new Leaving(first, changes.advance(), reads.advance()));
        }
    }

    private boolean hasPassed(Leaving before) {
        return changes.haveOwnPassed(before.changeEpoch) && reads.haveOwnPassed(before.readEpoch);
    }

    private boolean mayFree(Dropped segment) {
        return segment.segment < left
                && (System.nanoTime() - segment.nanos > OTHERS_NANOS || !records.isHeldByOthers(segment.segment));
    }

    private void free(Dropped segment) {
        records.free(segment.segment);
        count(-segment.bytes);
        steps.reached("clean.freed");
    }

    /** Frees the segments that it can, and lets the rest be deleted, as this process closes the map. */
    public void freeAll() {
        letGo();
        while (!unfreed.isEmpty()) {
            free(unfreed.removeFirst());
        }
    }
}
