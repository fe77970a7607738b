package dev.larder.log;

import dev.larder.log.Pins.Lane;
import dev.larder.log.Spares.Spare;
import dev.larder.memory.Access;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /**
     * What a process makes segments with.
     *
     * @param present whether new files are brought into memory whole, in large pages
     */
    record Making(
            IntegrityMode integrity,
            Allocation allocation,
            Access access,
            long largestBytes,
            String privatePrefix,
            boolean present) {}

    private final Path directory;
    private final Storage storage;
    private final ControlFile control;
    private final Pins pins;
    private final Optional<Making> making;
    private final Removals removals;
    private final Optional<Spares> spares;
    private final int mappedMax;
    private final boolean hugePages;
    private final Steps steps;
    private final LogCounters counters;
    private final Map<Integer, Segment> mapped = new HashMap<>();

    /** Out of {@link #mapped}, and perhaps not unmapped yet. */
    private final Set<Segment> closing = new HashSet<>();

    private final ReentrantLock creation = new ReentrantLock();
    private final AtomicInteger privateNames = new AtomicInteger();
    private final SecureRandom salts = new SecureRandom();
    private volatile int justMade = -1;

    /** What segments grow to: that of the log, or what the layer above asks for. */
    private volatile long wishedBytes;

    /** The first segment at which nothing below was mapped any more; -1 where there may be something. */
    private volatile int unmappedBelow = -1;

    private long entries;

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
        this.wishedBytes = making.map(Making::largestBytes).orElse(0L);
        this.removals = new Removals(storage, String.valueOf(directory.getFileName()));
        this.spares = making.map(how -> new Spares(storage, removals, how, steps));
        this.mappedMax = options.layout().mappedSegments();
        this.hugePages = options.layout().hugePages();
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

    /** Returns the size of a segment's file, which need not be mapped for that; 0 when there is none. */
    long sizeBytes(int number) {
        Optional<StorageFile> file = storage.open(path(number), false);
        long bytes = file.map(StorageFile::sizeBytes).orElse(0L);
        file.ifPresent(StorageFile::close);
        return bytes;
    }

    /** Returns whether a segment does not exist any more, whatever the directory shows. */
    boolean isDropped(int number) {
        return number < control.firstAfterReads();
    }

    /**
     * SYNC POINT: pin. Puts a lane into a segment that exists; empty, and the lane stays where it was, when there is no such
     * file, or it was dropped. The lane's pin is stored before {@code first} is looked at.
     */
    Optional<Segment> enter(Lane lane, int number) {
        int before = lane.segment();
        pins.move(lane, Math.min(before, number));
        Optional<Segment> segment = Optional.empty();
        try {
            segment = isDropped(number) ? segment : acquireExisting(number);
        } finally {
            pins.move(lane, segment.isPresent() ? number : before); // also after an error: a file too many, say
        }
        return segment;
    }

    /** Puts a lane into the segment that a position lies in; into a later one, the first, when that was dropped. */
    Segment enterAtOrAfter(Lane lane, int number) {
        int wanted = Math.max(number, control.firstVolatile());
        Optional<Segment> there = enter(lane, wanted);
        while (there.isEmpty()) {
            if (!isDropped(wanted)) {
                throw new CorruptException(path(wanted) + ": the segment is missing");
            }
            wanted = control.firstVolatile();
            there = enter(lane, wanted);
        }
        return there.get();
    }

    /** Puts a lane into the first segment. */
    Segment enterFirst(Lane lane) {
        return enterAtOrAfter(lane, control.firstVolatile());
    }

    /** Puts a lane into the tail, or a later one where the log has gone on meanwhile. */
    Segment enterTail(Lane lane) {
        return enterAtOrAfter(lane, control.tailAcquire());
    }

    /** Moves a lane that was left behind, in a segment whose next one was dropped, to the tail. */
    Segment rejoin(Lane lane, Segment left) {
        Segment tail = enterTail(lane);
        release(left);
        return tail;
    }

    /**
     * SYNC POINT: pin. Comes back to a segment that a lane has left by {@link #leavePin}, and not touched since; to the tail
     * where it was dropped meanwhile: its file may be another's.
     */
    Segment comeBack(Lane lane, Segment left) {
        pins.move(lane, left.number);
        return isDropped(left.number) ? rejoin(lane, left) : left;
    }

    /** Moves a lane that was left behind to the first segment. */
    Segment rejoinFirst(Lane lane, Segment left) {
        Segment first = enterFirst(lane);
        release(left);
        return first;
    }

    /**
     * Moves a lane from the end of a segment to the next one; empty, and the lane stays, when there is none yet, or it was
     * dropped. The lane's pin covers both.
     */
    Optional<Segment> enterNext(Lane lane, Segment ended) {
        Optional<Segment> next = acquireExisting(ended.number + 1);
        next.ifPresent(segment -> move(lane, ended, segment));
        return next;
    }

    /** Moves an appender's lane to the next segment, making it where nobody has: large enough for a record. */
    Segment enterNextOrCreate(Lane lane, Segment ended, long recordBytes) {
        steps.reached("roll.ended");
        RollEvent event = RollEvent.start();
        int number = ended.number + 1;
        Optional<Segment> made =
                acquireExisting(number).or(() -> create(number, nextBytes(ended, recordBytes), Optional.empty()));
        made.ifPresent(segment -> move(lane, ended, segment));
        Segment next = made.orElseGet(() -> rejoin(lane, ended)); // stopped for so long that the next one came and went
        control.raiseTail(next.number);
        counters.add(LogCounters.Counter.ROLLS, 1);
        event.finish(next);
        steps.reached("roll.entered");
        return next;
    }

    /** Moves a lane from a segment to another, both of which its owner has entered. */
    void move(Lane lane, Segment from, Segment to) {
        pins.move(lane, to.number);
        release(from);
    }

    /** Takes a lane out of the log that holds no segment in use, or comes back before it touches that. */
    void leavePin(Lane lane) {
        pins.leave(lane);
    }

    /** Takes a lane out of the log. */
    void leave(Lane lane, Segment segment) {
        release(segment);
        pins.leave(lane);
    }

    /**
     * Links the next segment before it is needed, where nobody has, out of a spare file if there is one; the caller releases
     * it. Empty when the log has gone on so far that it was dropped.
     */
    Optional<Segment> makeNext(Segment segment) {
        int number = segment.number + 1;
        return acquireExisting(number).or(() -> {
            counters.add(LogCounters.Counter.PREPARED, 1);
            long bytes = nextBytes(segment, 0);
            return create(number, bytes, renewSpare(number, bytes));
        });
    }

    /** Links the segment behind one where there is a spare file for it, and only then. */
    void makeNextOfSpare(Segment segment) {
        if (spares.orElseThrow().has(nextBytes(segment, 0))) {
            makeNext(segment).ifPresent(this::release);
        }
    }

    /** Returns whether files are kept for segments to come. */
    boolean hasSpare() {
        return spares.orElseThrow().has(wishedBytes);
    }

    /** Asks for another size that segments grow to, or come down to. */
    void wish(long bytes) {
        assert Long.bitCount(bytes) == 1 && bytes >= SegmentLayout.SIZE_MIN_BYTES : bytes;
        wishedBytes = Math.min(bytes, making.orElseThrow().largestBytes());
        spares.orElseThrow().wish(wishedBytes);
    }

    private long nextBytes(Segment before, long recordBytes) {
        long bytes = Math.min(before.limit * 2, wishedBytes);
        while (bytes - SegmentLayout.head(bytes) - Segment.END_ROOM_BYTES < recordBytes) {
            bytes *= 2;
        }
        return bytes;
    }

    /** Makes and links the first segment, or the one behind a cut: nobody else has the log open. */
    Segment createAlone(int number, long bytes) {
        return create(number, bytes, Optional.empty())
                .orElseThrow(() -> new StorageException(path(number) + ": segment vanished after it was linked"));
    }

    /** Makes and links a segment, or finds that another process has; empty when it was dropped meanwhile. */
    private Optional<Segment> create(int number, long bytes, Optional<Spare> spare) {
        creation.lock();
        try {
            Optional<Segment> there = acquireExisting(number);
            if (there.isPresent()) {
                spare.ifPresent(spares.orElseThrow()::giveBack);
                return there;
            }
            if (spare.isPresent()) {
                publish(spare.get(), number);
            } else {
                publish(writePrivate(number, bytes), number);
            }
            spares.orElseThrow().linked();
            return acquireLinked(number);
        } finally {
            creation.unlock();
        }
    }

    /** Outside of the lock: a writer that comes to the next segment meanwhile makes it, and does not wait. */
    private Optional<Spare> renewSpare(int number, long bytes) {
        Optional<Spare> spare = spares.orElseThrow().take(bytes);
        return spare.filter(found -> spares.orElseThrow().renew(found, number, salts.nextLong(), count(number)));
    }

    /** Returns how many segments there are up to one. */
    private int count(int number) {
        return number - control.firstVolatile() + 1;
    }

    /**
     * Looks at {@code first} after the link: who was stopped before it may have made a number again that was filled and
     * dropped long ago.
     */
    private Optional<Segment> acquireLinked(int number) {
        if (isDropped(number)) {
            PrivateFiles.discard(path(number), storage);
            return Optional.empty();
        }
        Optional<Segment> linked = acquireExisting(number);
        if (linked.isEmpty() && !isDropped(number)) {
            throw new StorageException(path(number) + ": segment vanished after it was linked");
        }
        return linked;
    }

    /** Links a private file under its number, unless another process was faster; its private name goes. */
    private void publish(Path temporary, int number) {
        try {
            link(temporary, number);
        } finally {
            PrivateFiles.discard(temporary, storage);
        }
    }

    /** Links a spare that was made ready; who was not fast enough keeps it. What link returns alone says who won. */
    private void publish(Spare spare, int number) {
        if (link(spare.path(), number)) {
            counters.add(LogCounters.Counter.RECYCLED, 1);
            PrivateFiles.discard(spare.path(), storage);
        } else {
            spares.orElseThrow().giveBack(spare);
        }
    }

    private boolean link(Path temporary, int number) {
        steps.reached("roll.formatted");
        boolean linked = storage.link(temporary, path(number));
        justMade = linked ? number : -1;
        steps.reached("roll.linked");
        return linked;
    }

    String privatePrefix() {
        return making.orElseThrow().privatePrefix();
    }

    /** Returns a private name that this process has not used. */
    Path privateName() {
        return directory.resolve(privatePrefix() + privateNames.incrementAndGet() + PrivateFiles.SUFFIX);
    }

    /** Keeps a file that nobody can touch any more for a later segment, or deletes it. */
    void offerSpare(Path name) {
        spares.orElseThrow().offer(name);
    }

    /** Has a file deleted, soon. */
    void remove(Path name) {
        removals.remove(name);
    }

    /** Waits until all files are deleted that were to be. */
    void finishRemovals() {
        removals.finish();
    }

    /** Deletes the files that are kept for later, and waits for all others to be deleted; returns whether there were any. */
    boolean releaseSpares() {
        boolean any = spares.orElseThrow().release();
        return removals.finish() || any;
    }

    private Path writePrivate(int number, long bytes) {
        Making how = making.orElseThrow();
        Path temporary = privateName();
        try (StorageFile file = storage.create(temporary, how.access())
                .orElseThrow(
                        () -> new StorageException(temporary + ": a file of this process's private name exists"))) {
            file.allocate(bytes, how.allocation());
            steps.reached("roll.allocated");
            if (how.present() && Zeros.stay(storage, count(number) * bytes)) {
                Zeros.write(file, bytes);
            }
            try (Arena arena = Arena.ofShared()) {
                long created = storage.currentTimeMillis();
                MemorySegment memory = file.map(0, bytes, true, arena);
                if (!how.allocation().isReserved()) {
                    storage.populateForWrite(memory.asSlice(0, SegmentLayout.head(bytes)));
                }
                Segment.format(memory, number, salts.nextLong(), how.integrity(), created, 0);
            }
        } catch (RuntimeException | Error e) {
            storage.delete(temporary);
            throw e;
        }
        return temporary;
    }

    /** Returns a segment, mapped and in use once more; empty when there is no such file, or it was dropped. */
    private Optional<Segment> acquireExisting(int number) {
        Optional<Segment> segment;
        try {
            segment = acquire(number);
        } catch (CorruptException | TruncatedException e) {
            if (isDropped(number)) {
                return Optional.empty(); // the file was on its way to another life
            }
            throw e;
        }
        if (segment.isPresent() && isDropped(number)) {
            release(segment.get());
            unmappedBelow = -1;
            return Optional.empty();
        }
        return segment;
    }

    /**
     * Returns a segment, mapped and in use once more; empty when there is no such file. Only for who is alone, or does not
     * touch the bytes: nothing holds them.
     */
    synchronized Optional<Segment> acquire(int number) {
        Segment known = mapped.get(number);
        if (known == null) {
            Optional<StorageFile> file = storage.open(path(number), making.isPresent());
            if (file.isEmpty()) {
                return Optional.empty();
            }
            unmapLeastRecent(mappedMax);
            known = map(file.get(), number);
        }
        known.uses++;
        known.touched = true;
        known.lastEntry = ++entries;
        return Optional.of(known);
    }

    private Segment map(StorageFile file, int number) {
        boolean ended = number < control.tailAcquire();
        Segment segment = Segment.map(file, number, control.integrity(), making.isPresent(), residence(number), ended);
        segment.expect(AccessOrder.SEQUENTIAL, storage);
        if (hugePages) {
            storage.preferHugePages(segment.memory);
        }
        if (making.isPresent() && !making.get().allocation().isReserved()) {
            segment.rows.keepToThisProcess();
        }
        mapped.put(number, segment);
        if (making.isEmpty() || ended) {
            segment.closeFile(); // a thousand segments are a thousand mappings, and no descriptor
        }
        return segment;
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
     * Closes the descriptors of segments that write-back has left behind, unmaps what was dropped, and lets go of the page
     * tables of segments that nobody stands in. Off the hot path, by the thread that starts write-back.
     */
    void trim(int writtenBackBelow) {
        closeDescriptorsBelow(writtenBackBelow);
        unmapDropped();
        releasePageTablesBelow(control.tailAcquire());
    }

    /** Unmaps dropped segments that nobody stands in: as long as one is mapped, its file keeps its blocks. */
    void unmapDropped() {
        int first = control.firstVolatile();
        if (first == unmappedBelow) {
            return;
        }
        List<Segment> dropped;
        synchronized (this) {
            dropped = mapped.values().stream()
                    .filter(segment -> segment.number < first && segment.uses == 0)
                    .toList();
            dropped.forEach(segment -> mapped.remove(segment.number));
            closing.addAll(dropped);
            boolean all = mapped.keySet().stream().noneMatch(number -> number < first);
            unmappedBelow = all ? first : -1;
        }
        dropped.forEach(this::closeDropped);
    }

    /** Where a call is just looking at the memory, of one who stands nowhere, it is unmapped the next time. */
    private void closeDropped(Segment segment) {
        boolean closed = false;
        try {
            segment.close();
            closed = true;
        } catch (IllegalStateException e) {
            assert segment.number < control.firstVolatile() : segment;
        } finally {
            synchronized (this) {
                closing.remove(segment);
                if (!closed) {
                    mapped.put(segment.number, segment);
                    unmappedBelow = -1;
                }
            }
        }
    }

    /** Makes room for one more mapping: of those that nobody stands in, the ones go that were entered longest ago. */
    private void unmapLeastRecent(int most) {
        if (mapped.size() < most) {
            return;
        }
        List<Segment> surplus = mapped.values().stream()
                .filter(segment -> segment.uses == 0)
                .sorted(Comparator.comparingLong(segment -> segment.lastEntry))
                .limit(mapped.size() - most + 1L)
                .toList();
        surplus.forEach(segment -> mapped.remove(segment.number));
        surplus.forEach(Segment::close);
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
        mapped.values().stream()
                .filter(segment -> segment.number < number && segment.uses == 0) // a batch may be on its way
                .forEach(Segment::closeFile);
    }

    /** Returns whether a segment is mapped. */
    synchronized boolean isMapped(int number) {
        return mapped.containsKey(number) || closing.stream().anyMatch(segment -> segment.number == number);
    }

    /** Returns whether a segment is mapped and has a descriptor, too. */
    synchronized boolean hasDescriptor(int number) {
        Segment segment = mapped.get(number);
        return segment != null && segment.file() != null;
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
        spares.ifPresent(Spares::close);
        removals.close();
    }
}
