package dev.larder.log.segment;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.segment.Spares.Spare;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.PrivateFiles;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes segments, from new files or from spare ones.
 *
 * <p>A segment is made under a private name, {@code p-<slot>-<generation>-<n>.tmp}, and published whole by link(2). Only the
 * result of link tells which process won. No lock is held between processes, so a stopped or dead process blocks no other.
 */
public final class SegmentMaking implements AutoCloseable {

    /** How new files are loaded into memory whole, for readers that look at records at random. */
    public enum Presence {
        /** Not at all: each page is loaded when it is needed. */
        NONE,
        /** By zeros that are written, as far as those stay in memory. */
        ZEROS,
        /** As large pages, where the file system is memory: the pages are the file's space, too. */
        LARGE_PAGES
    }

    /** The settings with which a process makes segments. */
    public record How(
            UUID log,
            IntegrityMode integrity,
            Allocation allocation,
            Access access,
            long largestBytes,
            String privatePrefix,
            Presence presence,
            boolean syncsEachAppend) {}

    private final SegmentFiles files;
    private final Storage storage;
    private final MappedSegments mapped;
    private final How how;
    private final Failpoints steps;
    private final CountersFile counters;
    private final Removals removals;
    private final Zeros zeros;
    private final Spares spares;
    private final SyncPace pace;
    private final KnownPages pages = new KnownPages();
    private final ReentrantLock creation = new ReentrantLock();
    private final AtomicInteger privateNames = new AtomicInteger();
    private final SecureRandom salts = new SecureRandom();

    /** The size up to which segments grow: the log's own, or the size that the layer above asks for. */
    private volatile long wishedBytes;

    SegmentMaking(SegmentFiles files, MappedSegments mapped, How how, Failpoints steps, CountersFile counters) {
        this.files = files;
        this.storage = files.storage();
        this.mapped = mapped;
        this.how = how;
        this.steps = steps;
        this.counters = counters;
        this.wishedBytes = how.largestBytes();
        this.removals = new Removals(storage, String.valueOf(files.directory().getFileName()));
        this.zeros = new Zeros(storage);
        this.spares = new Spares(storage, removals, zeros, how, steps);
        this.pace = new SyncPace(
                how.syncsEachAppend(), counters.value(LogCounter.APPENDED_BYTES), counters.value(LogCounter.SYNCS));
    }

    /**
     * Returns the segment after one that has ended. If there is none, makes one that is large enough for a record; as
     * {@link #create}.
     */
    Optional<Segment> next(Segment ended, long recordBytes) {
        int number = ended.number + 1;
        return mapped.acquireExisting(number).or(() -> {
            look(ended);
            long bytes = nextBytes(ended, recordBytes);
            return create(number, bytes, isMemory() ? renewSpare(number, bytes) : Optional.empty());
        });
    }

    /**
     * Links the next segment before it is needed, if there is none yet, out of a spare file if there is one. The caller
     * releases the segment. Returns empty if the log has continued so far that the segment was dropped.
     */
    public Optional<Segment> makeAhead(Segment segment) {
        int number = segment.number + 1;
        return mapped.acquireExisting(number).or(() -> {
            counters.add(LogCounter.PREPARED, 1);
            look(segment);
            long bytes = nextBytes(segment, 0);
            return create(number, bytes, renewSpare(number, bytes));
        });
    }

    private void look(Segment tail) {
        long used = tail.hintAfter(tail.head) - tail.head;
        pace.look(tail.number, used, tail.limit, counters.value(LogCounter.SYNCS));
    }

    /** Links the segment after one, but only if there is a spare file for it. */
    public void makeAheadOfSpare(Segment segment) {
        if (spares.has(nextBytes(segment, 0))) {
            makeAhead(segment).ifPresent(mapped::release);
        }
    }

    /** Returns whether files are kept for later segments. */
    public boolean hasSpare() {
        return spares.has(wishedBytes);
    }

    /** Sets another size for later segments to grow to, or to come down to. */
    public void wish(long bytes) {
        assert Long.bitCount(bytes) == 1 && bytes >= SegmentLayout.SIZE_MIN_BYTES : bytes;
        wishedBytes = Math.min(bytes, how.largestBytes());
        spares.wish(wishedBytes);
    }

    /**
     * Limits the size of later segments, except for a record that needs more: the kept part of the log is to be many
     * segments.
     */
    public void wishAtMost(long bytes) {
        if (bytes < wishedBytes) {
            wish(bytes);
        }
    }

    private long nextBytes(Segment before, long recordBytes) {
        long bytes = Math.min(before.limit * 2, wishedBytes);
        while (bytes - SegmentLayout.head(bytes) - Segment.END_ROOM_BYTES < recordBytes) {
            bytes *= 2;
        }
        return bytes;
    }

    /** Makes and links the first segment, or the one behind a cut. No other process has the log open. */
    public Segment createAlone(int number, long bytes) {
        return create(number, bytes, Optional.empty())
                .orElseThrow(() -> new StorageException(files.path(number) + ": segment vanished after it was linked"));
    }

    /** Makes and links a segment, or finds that another process has done so; empty if the segment was dropped meanwhile. */
    private Optional<Segment> create(int number, long bytes, Optional<Spare> spare) {
        creation.lock();
        try {
            Optional<Segment> there = spare.isPresent() ? publish(spare.get(), number) : publishNew(number, bytes);
            if (there.isPresent()) {
                return there;
            }
            spares.linked();
            zeros.made(count(number));
            return acquireLinked(number);
        } finally {
            creation.unlock();
        }
    }

    /** Returns whether the file system is memory. Then new files are no faster to make than used ones: their pages are zeroed. */
    private boolean isMemory() {
        return how.presence() == Presence.LARGE_PAGES;
    }

    /**
     * Makes a spare ready, outside of the lock: a writer that comes to the next segment meanwhile makes it, and does not
     * wait.
     */
    private Optional<Spare> renewSpare(int number, long bytes) {
        Optional<Spare> spare = spares.take(bytes);
        return spare.flatMap(found -> spares.renew(found, number, salts.nextLong(), count(number), pace.pieceBytes()));
    }

    /** Returns how many segments there are up to a number. */
    private int count(int number) {
        return number - files.control().firstVolatile() + 1;
    }

    /**
     * Maps a segment that was linked, unless {@code first} has passed it. A process that was stopped before the link may have
     * made a number again whose segment was filled and dropped long ago. One that was stopped behind the link may have made
     * the segment that was dropped just now, and not durably yet: after a loss of power the log would begin there.
     */
    private Optional<Segment> acquireLinked(int number) {
        if (files.isDropped(number)) {
            files.control().force();
            removals.removeAtOnce(files.path(number));
            return Optional.empty();
        }
        Optional<Segment> linked = mapped.acquireExisting(number);
        if (linked.isEmpty() && !files.isDropped(number)) {
            throw new StorageException(files.path(number) + ": segment vanished after it was linked");
        }
        return linked;
    }

    /**
     * Makes a file and links it under its number, unless another process was faster; removes the private name. Returns the
     * segment of that number if there was one before.
     */
    private Optional<Segment> publishNew(int number, long bytes) {
        Optional<Segment> there = mapped.acquireExisting(number);
        if (there.isPresent()) {
            return there;
        }
        Path temporary = privateName();
        try {
            long pageBytes = writePrivate(temporary, number, bytes);
            if (link(temporary, number)) {
                pages.made(number, pageBytes, files.control().firstVolatile());
            }
        } finally {
            removals.removeAtOnce(temporary);
        }
        return there;
    }

    /**
     * Links a spare that was made ready, and keeps the spare if another process was faster. Only the result of link tells
     * which process won. Returns the segment of that number if there was one before.
     *
     * <p>After an error the file may be linked, and must not be used again: its private name is removed.
     */
    private Optional<Segment> publish(Spare spare, int number) {
        boolean keeps = false;
        try {
            Optional<Segment> there = mapped.acquireExisting(number);
            boolean linked = there.isEmpty() && link(spare.path(), number);
            if (linked) {
                counters.add(LogCounter.RECYCLED, 1);
                pages.made(number, spare.pageBytes(), files.control().firstVolatile());
            }
            keeps = !linked;
            return there;
        } finally {
            if (keeps) {
                spares.giveBack(spare);
            } else {
                removals.removeAtOnce(spare.path());
            }
        }
    }

    private boolean link(Path temporary, int number) {
        steps.reached("roll.formatted");
        boolean linked = storage.link(temporary, files.path(number));
        mapped.made(number, linked);
        steps.reached("roll.linked");
        return linked;
    }

    public String privatePrefix() {
        return how.privatePrefix();
    }

    /** Returns a private name that this process has not used. */
    public Path privateName() {
        return files.directory().resolve(privatePrefix() + privateNames.incrementAndGet() + PrivateFiles.SUFFIX);
    }

    /** Keeps a file that no thread can touch any more for a later segment, or deletes it. It was the segment of a number. */
    public void offerSpare(Path name, int number) {
        spares.offer(name, pages.dropped(number));
    }

    /** Has a file deleted soon. */
    public void remove(Path name) {
        removals.remove(name);
    }

    /** Waits until all pending deletions are done. */
    public void finishRemovals() {
        removals.finish();
    }

    /** Deletes the files that are kept for later, and waits for all pending deletions; returns whether there were any. */
    public boolean releaseSpares() {
        boolean any = spares.release();
        return removals.finish() || any;
    }

    /** Writes a new segment's file under a private name; returns how large its pages are in memory. */
    private long writePrivate(Path temporary, int number, long bytes) {
        try (StorageFile file = storage.create(temporary, how.access())
                .orElseThrow(
                        () -> new StorageException(temporary + ": a file of this process's private name exists"))) {
            return fill(file, number, bytes);
        }
    }

    private long fill(StorageFile file, int number, long bytes) {
        file.allocate(bytes, isMemory() ? Allocation.GROW : how.allocation());
        steps.reached("roll.allocated");
        boolean zeroed = how.presence() == Presence.ZEROS && zeros.stay(bytes, count(number));
        long pageBytes = zeroed ? pace.pieceBytes() : KnownPages.SINGLE_BYTES;
        if (zeroed) {
            Zeros.write(file, bytes, pageBytes);
        }
        try (Arena arena = Arena.ofShared()) {
            long created = storage.currentTimeMillis();
            MemorySegment memory = file.map(0, bytes, true, arena);
            bringIn(file, memory);
            Segment.format(memory, number, salts.nextLong(), how.log(), how.integrity(), created, 0);
        }
        return pageBytes;
    }

    /**
     * Allocates the space that {@link #fill} did not reserve. On a file system in memory that is the whole file, else the
     * bytes that are stored to right away.
     */
    private void bringIn(StorageFile file, MemorySegment memory) {
        try {
            if (isMemory()) {
                storage.populateLargePages(memory);
            } else if (!how.allocation().isReserved()) {
                storage.populateForWrite(memory.asSlice(0, SegmentLayout.head(memory.byteSize())));
            }
        } catch (DiskFullException e) {
            throw new DiskFullException(file.path() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            spares.close();
        } finally {
            removals.close();
        }
    }
}
