package dev.larder.log;

import dev.larder.log.Pins.Lane;
import dev.larder.memory.Access;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The segments that a process has mapped, and the way from one to the next.
 *
 * <p>A segment may be <i>linked</i> at any time; it may be <i>used</i> only by who has seen the one before it ended.
 * It is made under a private name, {@code p-<slot>-<generation>-<n>.tmp}, and published whole by link(2): what link
 * returns alone says who won. No lock is held, so a stopped or dead roller blocks nobody.
 */
final class Segments implements AutoCloseable {

    /** What a process makes segments with. */
    record Making(
            IntegrityMode integrity, Allocation allocation, Access access, long largestBytes, String privatePrefix) {}

    private static final int MAPPED_MAX = 4096;

    private final Path directory;
    private final Storage storage;
    private final ControlFile control;
    private final Pins pins;
    private final Optional<Making> making;
    private final Steps steps;
    private final LogCounters counters;
    private final Map<Integer, Segment> mapped = new HashMap<>();
    private final ReentrantLock creation = new ReentrantLock();
    private final AtomicInteger privateNames = new AtomicInteger();
    private final SecureRandom salts = new SecureRandom();
    private volatile int justMade = -1;

    Segments(
            Path directory,
            LogOptions options,
            ControlFile control,
            Pins pins,
            Optional<Making> making,
            LogCounters counters) {
        this.directory = directory;
        this.storage = options.storage();
        this.steps = options.steps();
        this.control = control;
        this.pins = pins;
        this.making = making;
        this.counters = counters;
    }

    Path path(int number) {
        return directory.resolve(SegmentLayout.fileName(number));
    }

    /** Returns the numbers of the segments that exist, in order. */
    List<Integer> numbers() {
        int first = control.firstVolatile();
        return storage.list(directory).stream()
                .map(SegmentLayout::numberOf)
                .filter(number -> number >= first)
                .sorted()
                .toList();
    }

    /** Deletes the files of all segments above a number, the highest first; returns whether there were any. */
    boolean deleteAbove(int number) {
        List<Integer> above =
                numbers().stream().filter(other -> other > number).toList().reversed();
        above.forEach(other -> storage.delete(path(other)));
        return !above.isEmpty();
    }

    /** Puts a lane into a segment that exists; empty, and the lane stays where it was, when there is no such file. */
    Optional<Segment> enter(Lane lane, int number) {
        int before = lane.segment();
        pins.move(lane, Math.min(before, number));
        Optional<Segment> segment = number < control.firstVolatile() ? Optional.empty() : acquire(number);
        if (segment.isPresent()) {
            checkNotDropped(number);
            pins.move(lane, number);
        } else if (before == Pins.NONE) {
            pins.leave(lane);
        } else {
            pins.move(lane, before);
        }
        return segment;
    }

    /** Puts a lane into a segment that the shared words name; its file must be there. */
    Segment enterKnown(Lane lane, int number) {
        return enter(lane, number).orElseThrow(() -> new CorruptException(path(number) + ": the segment is missing"));
    }

    /** Moves a lane from the end of a segment to the next one; empty, and the lane stays, when there is none yet. */
    Optional<Segment> enterNext(Lane lane, Segment ended) {
        Optional<Segment> next = acquire(ended.number + 1);
        next.ifPresent(segment -> move(lane, ended, segment));
        return next;
    }

    /** Moves an appender's lane to the next segment, making it where nobody has: large enough for a record. */
    Segment enterNextOrCreate(Lane lane, Segment ended, long recordBytes) {
        steps.reached("roll.ended");
        RollEvent event = RollEvent.start();
        int number = ended.number + 1;
        Segment next = acquire(number).orElseGet(() -> create(number, nextBytes(ended, recordBytes)));
        move(lane, ended, next);
        control.raiseTail(number);
        counters.add(LogCounters.Counter.ROLLS, 1);
        event.finish(next);
        steps.reached("roll.entered");
        return next;
    }

    private void move(Lane lane, Segment from, Segment to) {
        checkNotDropped(to.number);
        pins.move(lane, to.number);
        release(from);
    }

    /** Takes a lane out of the log. */
    void leave(Lane lane, Segment segment) {
        release(segment);
        pins.leave(lane);
    }

    private void checkNotDropped(int number) {
        int first = control.firstVolatile();
        if (number < first) {
            throw new GoneException(directory + ": segment " + number + " was dropped; the first is " + first);
        }
    }

    /** Links the next segment before it is needed, where nobody has; the caller releases it. */
    Segment makeNext(Segment segment) {
        int number = segment.number + 1;
        return acquire(number).orElseGet(() -> {
            counters.add(LogCounters.Counter.PREPARED, 1);
            return create(number, nextBytes(segment, 0));
        });
    }

    private long nextBytes(Segment before, long recordBytes) {
        long bytes = Math.min(before.limit * 2, making.orElseThrow().largestBytes());
        while (bytes - SegmentLayout.head(bytes) - Segment.END_ROOM_BYTES < recordBytes) {
            bytes *= 2;
        }
        return bytes;
    }

    /** Makes and links a segment, or finds that another process has. */
    Segment create(int number, long bytes) {
        creation.lock();
        try {
            Optional<Segment> there = acquire(number);
            if (there.isPresent()) {
                return there.get();
            }
            publish(writePrivate(number, bytes), number);
            return acquire(number)
                    .orElseThrow(() -> new StorageException(path(number) + ": segment vanished after it was linked"));
        } finally {
            creation.unlock();
        }
    }

    /** Links a private file under its number, unless another process was faster; its private name goes. */
    private void publish(Path temporary, int number) {
        try {
            steps.reached("roll.formatted");
            justMade = storage.link(temporary, path(number)) ? number : -1;
            steps.reached("roll.linked");
        } finally {
            PrivateFiles.discard(temporary, storage);
        }
    }

    private Path writePrivate(int number, long bytes) {
        Making how = making.orElseThrow();
        Path temporary = directory.resolve(how.privatePrefix() + privateNames.incrementAndGet() + PrivateFiles.SUFFIX);
        try (StorageFile file = storage.create(temporary, how.access())
                .orElseThrow(
                        () -> new StorageException(temporary + ": a file of this process's private name exists"))) {
            file.allocate(bytes, how.allocation());
            steps.reached("roll.allocated");
            try (Arena arena = Arena.ofShared()) {
                long created = storage.currentTimeMillis();
                MemorySegment memory = file.map(0, bytes, true, arena);
                if (how.allocation() == Allocation.GROW) {
                    storage.populateForWrite(memory.asSlice(0, SegmentLayout.head(bytes)));
                }
                Segment.format(memory, number, salts.nextLong(), how.integrity(), created);
            }
        } catch (RuntimeException | Error e) {
            storage.delete(temporary);
            throw e;
        }
        return temporary;
    }

    /** Returns a segment, mapped and in use once more; empty when there is no such file. */
    synchronized Optional<Segment> acquire(int number) {
        Segment known = mapped.get(number);
        if (known == null) {
            Optional<StorageFile> file = storage.open(path(number), making.isPresent());
            if (file.isEmpty()) {
                return Optional.empty();
            }
            boolean ended = number < control.tailAcquire();
            known = Segment.map(file.get(), number, control.integrity(), making.isPresent(), residence(number), ended);
            known.expect(AccessOrder.SEQUENTIAL, storage);
            mapped.put(number, known);
            if (making.isEmpty() || number < Position.segment(control.durableAcquire())) {
                known.closeFile();
            }
        }
        known.uses++;
        known.touched = true;
        return Optional.of(known);
    }

    /** Nothing of a file that was just made comes from the disk, so nothing need be asked. */
    private Function<MemorySegment, BlockSet> residence(int number) {
        return number == justMade
                ? memory -> new BlockSet(memory.byteSize())
                : memory -> BlockSet.absent(memory, storage);
    }

    synchronized void release(Segment segment) {
        assert segment.uses > 0 : segment;
        segment.uses--;
    }

    /**
     * Closes the descriptors of segments that no flush will need, lets go of the page tables of those that nobody stands
     * in, and unmaps the oldest of them beyond the number that is kept. Off the hot path, by the thread that starts
     * write-back.
     */
    void trim() {
        closeDescriptorsBelow(Position.segment(control.durableAcquire()));
        unused(MAPPED_MAX).forEach(Segment::close);
        releasePageTablesBelow(control.tailAcquire());
    }

    /**
     * Pages that stand in page tables cost more to take back: beyond memory, a writer pays for that. Not of segments
     * ahead of the tail, which were prepared.
     */
    private synchronized void releasePageTablesBelow(int tail) {
        for (Segment segment : mapped.values()) {
            if (segment.number < tail && segment.uses == 0 && segment.touched) {
                segment.touched = false;
                storage.releasePageTables(segment.memory);
            }
        }
    }

    private synchronized void closeDescriptorsBelow(int number) {
        mapped.values().stream().filter(segment -> segment.number < number).forEach(Segment::closeFile);
    }

    private synchronized List<Segment> unused(int keep) {
        List<Segment> surplus = mapped.values().stream()
                .filter(segment -> segment.uses == 0)
                .sorted((a, b) -> Integer.compare(a.number, b.number))
                .limit(Math.max(0, mapped.size() - keep))
                .toList();
        surplus.forEach(segment -> mapped.remove(segment.number));
        return surplus;
    }

    /** Returns how many segments are mapped. */
    synchronized int mappedCount() {
        return mapped.size();
    }

    @Override
    public void close() {
        List<Segment> all;
        synchronized (this) {
            all = new ArrayList<>(mapped.values());
            mapped.clear();
        }
        all.forEach(Segment::close);
    }
}
