package dev.larder.log.segment;

import dev.larder.log.LogLayout;
import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.SinglePages;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.CorruptException;
import dev.larder.memory.KeptArena;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * The segments that a process has mapped, each once, with the number of its lanes in each.
 *
 * <pre>
 * acquire   ->   in use   ->   release   ->   kept mapped   ->   unmapped
 *                                             up to a limit      dropped, or entered longest ago
 * </pre>
 *
 * Thread-safe.
 */
public final class MappedSegments implements AutoCloseable {

    /** How long {@link #close} waits for calls that read a segment, and how often it looks. */
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SegmentFiles files;
    private final Storage storage;
    private final ControlFile control;

    /** How the process makes segments; empty where it only reads. */
    private final Optional<SegmentMaking.How> writing;

    private final int most;
    private final boolean hugePages;
    private final Map<Integer, Segment> mapped = new HashMap<>();

    /** The segments that were removed from {@link #mapped}, and may not be unmapped yet. */
    private final Set<Segment> closing = new HashSet<>();

    private volatile int justMade = -1;

    /** The first segment of the log when nothing below it was mapped any more; -1 if something may be. */
    private volatile int unmappedBelow = -1;

    private long entries;

    MappedSegments(SegmentFiles files, LogLayout layout, Optional<SegmentMaking.How> writing) {
        this.files = files;
        this.storage = files.storage();
        this.control = files.control();
        this.writing = writing;
        this.most = layout.mappedSegments();
        this.hugePages = layout.hugePages();
    }

    /** Records whether this process has just made a segment: then none of its bytes come from the disk. */
    void made(int number, boolean bySelf) {
        justMade = bySelf ? number : -1;
    }

    /** Returns a segment, mapped and with one more use. Returns empty if there is no such file, or the segment was dropped. */
    Optional<Segment> acquireExisting(int number) {
        Optional<Segment> segment;
        try {
            segment = acquire(number);
        } catch (CorruptException | TruncatedException e) {
            if (files.isDropped(number)) {
                return Optional.empty(); // the file was becoming another segment
            }
            throw e;
        }
        if (segment.isPresent() && files.isDropped(number)) {
            release(segment.get());
            unmappedBelow = -1;
            return Optional.empty();
        }
        return segment;
    }

    /**
     * Returns a segment, mapped and with one more use; empty if there is no such file. Only for a caller that is alone, or
     * does not touch the bytes: no pin holds them.
     */
    synchronized Optional<Segment> acquire(int number) {
        Segment known = mapped.get(number);
        if (known == null) {
            Optional<StorageFile> file = storage.open(files.path(number), writing.isPresent());
            if (file.isEmpty()) {
                return Optional.empty();
            }
            known = map(file.get(), number);
        }
        known.uses++;
        known.touched = true;
        known.lastEntry = ++entries;
        return Optional.of(known);
    }

    /** Maps a segment, in the place of another one if there are too many. After an error the file is closed and not mapped. */
    private Segment map(StorageFile file, int number) {
        boolean ended = number < control.tailAcquire();
        try {
            unmapLeastRecent();
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
        Segment segment = Segment.map(
                file,
                number,
                control.identity(),
                control.integrity(),
                writing.isPresent(),
                residence(number, ended),
                ended,
                control.isKept() ? new KeptArena() : Arena.ofShared());
        try {
            segment.hadRecordsTo(durableEnd(segment));
            settle(segment, ended);
            mapped.put(number, segment);
            return segment;
        } catch (RuntimeException | Error e) {
            segment.close();
            throw e;
        }
    }

    /** Returns up to where a segment is durable, as far as the control file knows; 0 if it is not. */
    private long durableEnd(Segment segment) {
        long place = control.place().map(ControlFile.Place::position).orElse(0L);
        long durable = Math.max(control.durableAcquire(), place);
        int last = Position.segment(durable);
        return segment.number < last ? segment.limit : segment.number > last ? 0 : Position.offset(durable);
    }

    private void settle(Segment segment, boolean ended) {
        segment.expect(AccessOrder.SEQUENTIAL, storage);
        if (hugePages) {
            storage.preferHugePages(segment.memory);
        }
        if (writing.isPresent() && !writing.get().allocation().isReserved()) {
            segment.rows.keepToThisProcess();
        }
        if (writing.isEmpty() || ended) {
            segment.closeFile(); // a thousand segments are a thousand mappings, and no descriptor
        }
    }

    /**
     * Returns how to find absent blocks. No byte of a file that was just made comes from the disk, so the system is not
     * asked.
     */
    private Function<MemorySegment, BlockSet> residence(int number) {
        return number == justMade
                ? memory -> new BlockSet(memory.byteSize())
                : memory -> BlockSet.absent(memory, storage);
    }

    /** Loads the bytes that a writer stores to first, after the absent blocks are known and before any byte is read. */
    private Function<MemorySegment, BlockSet> residence(int number, boolean ended) {
        Function<MemorySegment, BlockSet> residence = residence(number);
        return ended || writing.isEmpty()
                ? residence
                : memory -> {
                    BlockSet absent = residence.apply(memory);
                    long first = SegmentLayout.head(memory.byteSize()) + RecordWord.BYTES;
                    SinglePages.bringIn(memory.asSlice(0, Math.min(first, memory.byteSize())), storage);
                    return absent;
                };
    }

    synchronized void release(Segment segment) {
        assert segment.uses > 0 : segment;
        segment.uses--;
    }

    /**
     * Closes the descriptors of segments that write-back has left behind, unmaps dropped segments, and releases the page
     * tables of unused ones. Runs off the hot path, on the thread that starts write-back.
     */
    public void trim(int writtenBackBelow) {
        closeDescriptorsBelow(writtenBackBelow);
        unmapDropped();
        releasePageTablesBelow(control.tailAcquire());
    }

    /** Unmaps dropped segments that hold no lane: as long as a segment is mapped, its file keeps its blocks. */
    public void unmapDropped() {
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

    /** Unmaps the segments above a number, whose files are deleted next. They hold no lane. */
    synchronized void unmapAbove(int number) {
        List<Segment> above = mapped.values().stream()
                .filter(segment -> segment.number > number)
                .toList();
        above.forEach(segment -> {
            assert segment.uses == 0 : segment;
            mapped.remove(segment.number);
            segment.close();
        });
    }

    /** Unmaps a dropped segment. If a call without a lane is just reading the memory, the segment is unmapped the next time. */
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

    /** Makes room for one more mapping: unmaps the segments without a lane that were entered longest ago. */
    private void unmapLeastRecent() {
        if (mapped.size() < most) {
            return;
        }
        List<Segment> surplus = mapped.values().stream()
                .filter(segment -> segment.uses == 0)
                .sorted(Comparator.comparingLong(segment -> segment.lastEntry))
                .limit(mapped.size() - most + 1L)
                .toList();
        surplus.forEach(this::closeSurplus);
    }

    /** Unmaps a segment. If a call without a lane is just reading the memory, the segment stays mapped until the next time. */
    private void closeSurplus(Segment segment) {
        try {
            segment.close();
            mapped.remove(segment.number);
        } catch (IllegalStateException e) {
            assert segment.uses == 0 : segment;
        }
    }

    /**
     * Releases the page tables of unused segments. Pages in page tables cost more to reclaim; beyond memory, a writer pays
     * for that. Segments ahead of the tail keep theirs, because they were prepared.
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
                .filter(segment ->
                        segment.number < number && segment.uses == 0) // a segment in use may have a batch under way
                .forEach(Segment::closeFile);
    }

    /** Returns whether a segment is mapped. */
    public synchronized boolean isMapped(int number) {
        return mapped.containsKey(number) || closing.stream().anyMatch(segment -> segment.number == number);
    }

    /** Returns whether a segment is mapped, and the bytes before its records are in memory. */
    synchronized boolean isHeadInMemory(int number) {
        Segment segment = mapped.get(number);
        return segment != null && storage.isResident(segment.memory, 0, segment.head);
    }

    /** Returns whether a segment is mapped and has an open descriptor. */
    public synchronized boolean hasDescriptor(int number) {
        Segment segment = mapped.get(number);
        return segment != null && segment.file() != null;
    }

    /** Returns how many segments are mapped. */
    public synchronized int count() {
        return mapped.size();
    }

    @Override
    public void close() {
        List<Segment> all;
        synchronized (this) {
            all = new ArrayList<>(mapped.values());
            mapped.clear();
        }
        ClosingSteps closing = new ClosingSteps();
        long end = System.nanoTime() + CLOSING_NANOS;
        all.forEach(segment -> closing.take("segment", () -> closeOnceFree(segment, end)));
        closing.end();
    }

    /** Closes a segment. A call without a lane may just wait for the disk to read its memory; this waits for that call. */
    private static void closeOnceFree(Segment segment, long endNanos) {
        boolean interrupted = false;
        boolean closed = false;
        while (!closed) {
            try {
                segment.close();
                closed = true;
            } catch (IllegalStateException e) {
                if (!segment.memory.scope().isAlive() || System.nanoTime() - endNanos > 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
                interrupted |= Thread.interrupted(); // else the next pause would be none
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
