package dev.larder.log;

import dev.larder.log.LogCounters.Counter;
import dev.larder.log.Pins.Lane;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The end of segments: the oldest first, once they have ended and are settled, as far as the policy lets them go.
 *
 * <pre>
 * header of k + 1 durable  ->  first: k to k + 1  ->  first durable  ->  rename k  ->  look at the pins
 *                              who wins owns k                                         a pin at or below k: unlink
 *                                                                                      none: a spare
 * </pre>
 *
 * <p>From the compare-and-set of {@code first} on, k does not exist, whatever the directory shows. It comes before the load
 * of the pins, as a pin's store comes before the load of {@code first}: one of the two sees the other. {@code first} is
 * durable before a name goes, and the segment that it names before that: after a loss of power the log begins there.
 *
 * <p>No lock is held between processes. The background does this; a writer that finds no room, or finds the log too
 * large at two rolls in a row, does it by itself.
 */
final class Dropping {

    private final Path directory;
    private final Storage storage;
    private final Steps steps;
    private final ControlFile control;
    private final LockFile locks;
    private final int slot;
    private final Segments segments;
    private final Claims claims;
    private final LogCounters counters;
    private final RetentionPolicy policy;
    private final ReentrantLock turn = new ReentrantLock();
    private final List<Path> unfreed = new ArrayList<>();
    private volatile boolean exceededAtLastRoll;

    Dropping(
            Path directory,
            LogOptions options,
            ControlFile control,
            LockFile locks,
            int slot,
            Segments segments,
            Claims claims,
            LogCounters counters,
            Holds holds) {
        this.directory = directory;
        this.storage = options.storage();
        this.steps = options.steps();
        this.control = control;
        this.locks = locks;
        this.slot = slot;
        this.segments = segments;
        this.claims = claims;
        this.counters = counters;
        LogRetention asked = options.retention();
        this.policy =
                new RetentionPolicy(asked.isNone() ? control.retention() : asked, storage, segments, control, holds);
    }

    /** Returns whether segments may go although nobody appends: by age, or dropped by others. */
    boolean isDue() {
        return !policy.isNone() || control.firstVolatile() > 0;
    }

    /** Drops what may go, unless another thread of this process is at it; returns how many segments. */
    int drop() {
        if (policy.isNone() || control.failedVolatile() != 0 || !turn.tryLock()) {
            return 0;
        }
        try {
            List<Integer> dropped = moveFirst();
            if (!dropped.isEmpty()) {
                control.force();
                steps.reached("drop.durable");
                dropped.forEach(this::free);
                counters.add(Counter.DROPPED, dropped.size());
                PrivateFiles.sweep(directory, storage, control, locks, segments.privatePrefix());
            }
            return dropped.size();
        } finally {
            turn.unlock();
        }
    }

    /** Takes note of a roll; drops where the log was too large at the last one as well: the background is not at it. */
    void rolled() {
        boolean exceeded = !policy.isNone() && policy.isExceeded();
        if (exceeded && exceededAtLastRoll) {
            drop();
        }
        exceededAtLastRoll = exceeded;
    }

    /** Frees what space there is to be freed, for a writer that finds none; returns whether it did. */
    boolean makeRoom() {
        turn.lock();
        try {
            boolean dropped = drop() > 0;
            boolean released = segments.releaseSpares(); // also what was just dropped
            return dropped || released;
        } finally {
            turn.unlock();
        }
    }

    private List<Integer> moveFirst() {
        List<Integer> dropped = new ArrayList<>();
        int first = control.firstVolatile();
        while (first < control.tailAcquire() && policy.letsGo(first) && isSettled(first) && secure(first + 1)) {
            if (control.dropFirst(first)) {
                dropped.add(first);
                steps.reached("drop.moved");
            }
            first = control.firstVolatile();
        }
        return dropped;
    }

    /** Returns whether every record of a segment is committed or padding; resolves claims of dead writers. */
    private boolean isSettled(int number) {
        if (Position.segment(control.durableAcquire()) > number) {
            return true;
        }
        Lane lane = new Lane();
        Optional<Segment> there = segments.enter(lane, number);
        if (there.isEmpty()) {
            return false;
        }
        try {
            return isSettled(there.get());
        } finally {
            segments.leave(lane, there.get());
        }
    }

    private boolean isSettled(Segment segment) {
        long at = segment.head;
        long word = segment.wordAcquire(at);
        while (!RecordWord.isEnd(word)) {
            boolean claimed = RecordWord.state(word) == RecordWord.RESERVED;
            if (word == RecordWord.FREE || (claimed && !claims.resolve(segment, at, word))) {
                return false;
            }
            at = claimed ? at : segment.next(at, word);
            word = segment.wordAcquire(at);
        }
        return true;
    }

    /**
     * Makes the segment durable that is to be the first: a loss of power may leave {@code first} on the disk from the
     * compare-and-set on. What was synced is durable already. Returns false when it is gone itself.
     */
    private boolean secure(int number) {
        if (Position.segment(control.durableAcquire()) >= number) {
            return true;
        }
        Lane lane = new Lane();
        Optional<Segment> next = segments.enter(lane, number);
        next.ifPresent(segment -> {
            try {
                segment.force(segment.head, storage);
                storage.syncDirectory(directory);
            } catch (StorageException | Error e) {
                control.failFlush();
                throw e;
            } finally {
                segments.leave(lane, segment);
            }
        });
        return next.isPresent();
    }

    /** Frees the file of a segment that this process has dropped. */
    private void free(int number) {
        segments.unmapDropped();
        unfreed.removeIf(this::isGone);
        Path name = segments.privateName();
        if (!storage.rename(segments.path(number), name)) {
            return; // somebody cleaned up
        }
        steps.reached("drop.renamed");
        if (Pins.cover(control, locks, slot, number)) {
            unlink(name);
        } else {
            segments.offerSpare(name);
        }
        steps.reached("drop.freed");
    }

    /** Unlinks; where a file that is mapped keeps its name, it is tried again. */
    private void unlink(Path name) {
        if (!isGone(name)) {
            unfreed.add(name);
        }
    }

    private boolean isGone(Path name) {
        try {
            storage.delete(name);
            return true;
        } catch (StorageException e) {
            return false;
        }
    }
}
