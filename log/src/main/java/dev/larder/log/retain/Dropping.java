package dev.larder.log.retain;

import dev.larder.log.GoneException;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.LogRetention;
import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.segment.Ascending;
import dev.larder.log.segment.FirstSequences;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Pins;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.shared.PrivateFiles;
import dev.larder.log.write.Claims;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemLimitException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Drops segments, the oldest first, once they have ended and are settled, as far as the policy lets them go.
 *
 * <pre>
 * k + 1 has its base
 * sequence, durably        ->  first: k to k + 1  ->  first durable  ->  rename k  ->  look at the pins
 *                              the winner owns k                                       a pin at or below k: unlink
 *                                                                                      none: a spare
 * </pre>
 *
 * <p>From the compare-and-set of {@code first} on, k does not exist, whatever the directory shows. That step comes before the
 * load of the pins, and a pin's store comes before the load of {@code first}. So one of the two sees the other. {@code first}
 * is durable before a file loses its name. The segment that it names is durable before that, since the log begins there after
 * a loss of power.
 *
 * <p>No lock is held between processes. The background does this. A writer does it itself if it finds no room. It also does if
 * the log is too large at two rolls and nothing was dropped between them.
 */
public final class Dropping {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    private final Path directory;
    private final Storage storage;
    private final Failpoints steps;
    private final ControlFile control;
    private final LockFile locks;
    private final int slot;
    private final Segments segments;
    private final Claims claims;
    private final CountersFile counters;
    private final LogRetention retention;
    private final RetentionPolicy policy;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile int firstWhenExceeded = -1;
    private volatile Holds holds = Holds.NONE;
    private volatile @Nullable FirstSequences sequences;

    public Dropping(
            Path directory,
            LogOptions options,
            ControlFile control,
            LockFile locks,
            int slot,
            Segments segments,
            Claims claims,
            CountersFile counters) {
        this.directory = directory;
        this.storage = HookedOptions.storage(options);
        this.steps = HookedOptions.of(options).failpoints();
        this.control = control;
        this.locks = locks;
        this.slot = slot;
        this.segments = segments;
        this.claims = claims;
        this.counters = counters;
        LogRetention asked = options.retention();
        this.retention = asked.isNone() ? control.retention() : asked;
        this.policy = new RetentionPolicy(retention, storage, segments, control, () -> holds.lowestHeld());
    }

    /**
     * Sets what is made later than this object: the holds of bookmarks, and the count of records. Called before the first
     * drop.
     */
    public void heed(FirstSequences counted, Holds held) {
        sequences = counted;
        holds = held;
    }

    /** Limits the size of new segments, so that they are small beside what is kept. */
    public void boundSegments() {
        segments.making().wishAtMost(RetentionPolicy.segmentBytesMost(retention));
    }

    /** Returns the time after which a bookmark without an owner no longer holds anything back. */
    public long longestAbsenceMillis() {
        return retention.absence().map(Duration::toMillis).orElse(Long.MAX_VALUE);
    }

    /** Returns whether segments go by bytes or age, and not only when the layer above says so. */
    public boolean hasPolicy() {
        return !policy.isNone();
    }

    /** Returns whether segments go by bytes. */
    public boolean keepsToASize() {
        return retention.bytes().isPresent();
    }

    /** Returns whether segments may go although no process appends: by age, or dropped by other processes. */
    public boolean isDue() {
        return !policy.isNone() || control.firstVolatile() > 0;
    }

    /** Drops what may go, unless another thread of this process is doing so. Returns how many segments were dropped. */
    public int drop() {
        if (policy.isNone() || control.failedVolatile() != 0 || !turn.tryLock()) {
            return 0;
        }
        try {
            List<Integer> dropped = moveFirst();
            if (!dropped.isEmpty()) {
                int first = control.firstVolatile();
                control.force();
                steps.reached("drop.durable");
                dropped.forEach(this::free);
                counters.add(LogCounter.DROPPED, dropped.size());
                sweep(first);
            }
            return dropped.size();
        } finally {
            turn.unlock();
        }
    }

    /**
     * Drops the first segment for the layer above, which has taken from it what it needs. The drop is durable when this
     * returns. The file stays until {@link #freeDropped}. Returns false where a bookmark, or a claim, holds the segment.
     */
    public boolean dropFirst(int number) {
        turn.lock();
        try {
            boolean may = number == control.firstVolatile()
                    && number < control.tailAcquire()
                    && Position.segment(holds.lowestHeld()) > number
                    && isSettled(number)
                    && secure(number + 1)
                    && control.dropFirst(number);
            if (may) {
                steps.reached("drop.moved");
                control.force();
                steps.reached("drop.durable");
                counters.add(LogCounter.DROPPED, 1);
            }
            return may;
        } finally {
            turn.unlock();
        }
    }

    /** Frees the file of a segment that {@link #dropFirst} has dropped, and which the layer above no longer reads. */
    public void freeDropped(int number) {
        turn.lock();
        try {
            free(number);
        } finally {
            turn.unlock();
        }
    }

    /** Returns whether another process has a pin at a dropped segment, or below. */
    public boolean isHeldByOthers(int number) {
        return Pins.coverOfOthers(control, locks, slot, number);
    }

    /**
     * Deletes what a process left behind that died while it dropped a segment: the file, or the file under its private name.
     */
    public void sweep() {
        turn.lock();
        try {
            int first = control.firstVolatile();
            control.force(); // that process may have died before first was durable
            sweep(first);
        } finally {
            turn.unlock();
        }
    }

    private void sweep(int durableFirst) {
        PrivateFiles.sweep(
                directory, storage, durableFirst, locks, segments.making().privatePrefix());
    }

    /**
     * Handles a roll. Drops where the log is too large, was so at the last roll, and nothing was dropped since: the background
     * is not doing it. A log that is kept to a size is too large at each roll, for as long as dropping takes.
     */
    public void rolled() {
        boolean exceeded = !policy.isNone() && policy.isExceeded();
        int first = control.firstVolatile();
        if (exceeded && first == firstWhenExceeded) {
            drop();
        }
        firstWhenExceeded = exceeded ? first : -1;
    }

    /** Frees the space that can be freed, for a writer that finds none. Returns whether there was any. */
    public boolean makeRoom() {
        turn.lock();
        try {
            boolean dropped = drop() > 0;
            boolean released = segments.making().releaseSpares(); // also what was just dropped
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
     * Makes the segment durable that is to be the first, and with it the number of records before it. From the compare-and-set
     * on, a loss of power may leave {@code first} on the disk, and the dropped records can no longer be counted. Returns false
     * when that segment was dropped itself.
     */
    private boolean secure(int number) {
        Lane lane = new Lane();
        Optional<Segment> next = segments.enter(lane, number);
        next.ifPresent(segment -> {
            try {
                segment.bringInHeader(storage);
                noteBase(segment);
                steps.reached("drop.entered");
                forceUnlessDropped(segment);
            } finally {
                segments.leave(lane, segment);
            }
        });
        return next.isPresent() && !segments.isDropped(number);
    }

    /**
     * Flushes a segment that other processes may drop meanwhile: the flush opens the file anew, and it may have lost its name.
     */
    private void forceUnlessDropped(Segment next) {
        try {
            force(next);
        } catch (CorruptException e) {
            if (!segments.isDropped(next.number)) {
                throw e;
            }
        }
    }

    /**
     * Stores the sequence of the segment's first record. Where records can no longer be counted, their sequences are lost; a
     * damaged segment may still be dropped.
     */
    private void noteBase(Segment next) {
        FirstSequences counted = sequences;
        if (counted == null || next.rows.baseSequence() >= 0) {
            return;
        }
        try {
            long base = counted.firstSequence(next.number);
            if (base != Ascending.UNKNOWN) {
                next.rows.storeBaseSequence(base);
            }
        } catch (CorruptException e) {
            LOGGER.log(System.Logger.Level.WARNING, "records lose their sequences: " + e.getMessage(), e);
        } catch (GoneException e) {
            assert segments.isDropped(next.number - 1) : e; // other processes were faster
        }
    }

    /** Flushes the segment, even if it was synced: its base sequence may be younger. */
    private void force(Segment next) {
        try {
            next.forceAfter(0, next.head, storage, control::flush);
            if (Position.segment(control.durableAcquire()) < next.number) {
                control.flushNames(storage, directory);
            }
        } catch (SystemLimitException e) {
            throw e; // for a later drop
        } catch (StorageException e) {
            control.failFlush();
            throw e;
        }
    }

    /**
     * SYNC POINT: pin. Returns whether a process without a pin, which may only read, keeps files. Such a process shares the
     * byte FILES before it loads {@code first}, which was moved before this: one of the two sees the other.
     */
    private boolean areFilesKept() {
        boolean alone = locks.tryLock(LockFile.FILES);
        if (alone) {
            locks.unlock(LockFile.FILES);
        }
        return !alone;
    }

    /** Frees the file of a segment that this process has dropped. */
    private void free(int number) {
        segments.mapped().unmapDropped();
        Path name = segments.making().privateName();
        if (!storage.rename(segments.files().path(number), name)) {
            return; // another process cleaned up
        }
        boolean spare = false;
        try {
            steps.reached("drop.renamed");
            segments.mapped().unmapDropped(); // no process can map it from now on
            spare = !Pins.cover(control, locks, slot, number)
                    && !areFilesKept()
                    && !segments.mapped().isMapped(number);
        } finally {
            if (spare) {
                segments.making().offerSpare(name, number);
            } else {
                segments.making().remove(name); // also after an error: no other process knows the name
            }
        }
        steps.reached("drop.freed");
    }
}
