package dev.larder.map.shared;

import static dev.larder.map.format.IndexFileLayout.HEADER_BYTES;
import static dev.larder.map.format.IndexFileLayout.STATE;
import static dev.larder.map.format.IndexFileLayout.STEPS_AT;

import dev.larder.log.LogBusyException;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.KeptArena;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of the index, shared by all processes that have the map open: a file as large as its file system, mapped whole.
 * A part of it takes no space until {@link #back} has allocated its memory pages. So a full file system causes an exception
 * in that call, and never a store that fails. {@link IndexFileLayout} defines its bytes.
 *
 * <p>The file belongs to one opening of the map: the first process makes it, the last one removes it. If all processes are
 * killed, the file that they leave is never read again.
 */
public final class IndexFile implements AutoCloseable {

    /** The opening of a map that a file belongs to. */
    public record Opening(long number, UUID log, long seed, long largestSegmentBytes) {

        /** Returns another opening of the same map. */
        public Opening renumbered(long other) {
            return new Opening(other, log, seed, largestSegmentBytes);
        }
    }

    private static final long READY = 1;

    /** The byte that each process locks as long as it has the file open. */
    private static final long LIVE = 1L << 60;

    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long PAUSE_NANOS = 1_000_000;

    /** The files that this JVM has locked. */
    private static final Map<Path, LockedHere> LOCKED_HERE = new ConcurrentHashMap<>();

    /** Counts how often this JVM has a file locked. Changed under the lock that {@code LOCKED_HERE} holds for the path. */
    private static final class LockedHere {

        private int times;

        /** Files to close with the last lock: where locks belong to the process, an earlier close would free its locks. */
        private final Deque<StorageFile> closedLater = new ArrayDeque<>();
    }

    private final StorageFile file;
    private final Storage storage;
    private final Arena arena;
    private final MemorySegment memory;
    private final boolean locked;
    private boolean closed;

    private IndexFile(StorageFile file, Storage storage, Arena arena, MemorySegment memory, boolean locked) {
        this.locked = locked;
        this.file = file;
        this.storage = storage;
        this.arena = arena;
        this.memory = memory;
    }

    /**
     * Makes the file. No other process looks at it before {@link #makeReady}.
     *
     * @param bytes its length, which is more than the space that it takes
     * @throws IndexFullException if there is no room for its beginning; no file is left then
     */
    public static IndexFile create(Path path, long bytes, Opening opening, Access access, Storage storage) {
        StorageFile file = storage.create(path, access)
                .orElseThrow(() -> new StorageException(path + ": a file of this name exists"));
        try {
            file.allocate(bytes, Allocation.GROW);
            IndexFile made = map(file, storage, true);
            made.format(opening);
            return made;
        } catch (RuntimeException | Error e) {
            file.close();
            storage.delete(path);
            throw e;
        }
    }

    private void format(Opening opening) {
        try {
            back(0, IndexFileLayout.HEAD_BYTES);
            back(IndexFileLayout.PROCESSES_AT, IndexFileLayout.PROCESSES * IndexFileLayout.PROCESS_BYTES);
            Words.setPlain(memory, IndexFileLayout.OPENING, opening.number());
            Words.setPlain(memory, IndexFileLayout.IDENTITY_HIGH, opening.log().getMostSignificantBits());
            Words.setPlain(memory, IndexFileLayout.IDENTITY_LOW, opening.log().getLeastSignificantBits());
            Words.setPlain(memory, IndexFileLayout.SEED, opening.seed());
            Words.setPlain(memory, IndexFileLayout.LARGEST_SEGMENT, opening.largestSegmentBytes());
            FileHeader.write(memory, IndexFileLayout.FORMAT, IndexFileLayout.VERSION, HEADER_BYTES, Features.NONE);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Attaches to the file that another process has made for an opening; empty if there is none, or it is not ready.
     *
     * @throws CorruptException if the file belongs to another opening
     */
    public static Optional<IndexFile> attach(Path path, long number, Storage storage) {
        return map(path, storage, true).filter(found -> found.isReady(number));
    }

    /** Maps the file of an opening for a process that only reads it; empty in the same cases. */
    public static Optional<IndexFile> view(Path path, long number, Storage storage) {
        return map(path, storage, false).filter(found -> found.isReady(number));
    }

    /**
     * Returns whether a process has a file open. Call this only where locks belong to the file object: elsewhere this process
     * would lose its own.
     */
    public static boolean isOpen(Path path, Storage storage) {
        Optional<StorageFile> file = storage.open(path, true);
        if (file.isEmpty()) {
            return false;
        }
        try (StorageFile open = file.get()) {
            return !open.tryLock(LIVE);
        }
    }

    private static Optional<IndexFile> map(Path path, Storage storage, boolean writable) {
        return open(path, storage, writable).map(file -> map(file, storage, writable));
    }

    /** Opens a file; for reading, also returns one that is to be closed later. */
    private static Optional<StorageFile> open(Path path, Storage storage, boolean writable) {
        AtomicReference<@Nullable StorageFile> again = new AtomicReference<>();
        if (!writable) {
            LOCKED_HERE.computeIfPresent(path, (same, here) -> {
                again.set(here.closedLater.pollLast());
                return here;
            });
        }
        return Optional.ofNullable(again.get()).or(() -> storage.open(path, writable));
    }

    /** Maps a file, and closes it if that fails. */
    private static IndexFile map(StorageFile file, Storage storage, boolean writable) {
        boolean locked = writable || storage.isNative(); // else a view in this very process would wait for itself
        if (locked) { // before the lock is taken, so that no thread of this process frees it
            LOCKED_HERE.compute(file.path(), (path, known) -> {
                LockedHere here = known == null ? new LockedHere() : known;
                here.times++;
                return here;
            });
        }
        Arena arena = new KeptArena();
        try {
            long bytes = file.sizeBytes();
            if (bytes <= STEPS_AT) {
                throw new TruncatedException(file.path() + ": index of " + bytes + " bytes, least is " + STEPS_AT);
            }
            if (locked) {
                lockLive(file, storage);
            }
            MemorySegment memory = file.map(0, bytes, writable, arena);
            storage.preferHugePages(memory);
            return new IndexFile(file, storage, arena, memory, locked);
        } catch (RuntimeException | Error e) {
            arena.close();
            close(file, storage, locked);
            throw e;
        }
    }

    private static void close(StorageFile file, Storage storage, boolean locked) {
        LOCKED_HERE.compute(file.path(), (path, here) -> {
            if (here == null) {
                file.close();
                return null;
            }
            here.times -= locked ? 1 : 0;
            here.closedLater.add(file);
            if (here.times == 0 || storage.isNative()) {
                here.closedLater.forEach(StorageFile::close);
                here.closedLater.clear();
            }
            return here.times == 0 ? null : here;
        });
    }

    /**
     * Marks the file as open in this process. A process that checks whether any other has it open ({@link #isOpen}) holds the
     * byte exclusively for a moment; this method waits for that.
     *
     * @throws LogBusyException if another process holds it exclusively for 10 s, because it is stopped
     */
    private static void lockLive(StorageFile file, Storage storage) {
        long start = storage.nanoTime();
        while (!file.tryLockShared(LIVE)) {
            if (storage.nanoTime() - start > PATIENCE_NANOS) {
                throw new LogBusyException(file.path() + ": another process has held the exclusive lock on byte " + LIVE
                        + " for more than 10 s; is it stopped?");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /**
     * Removes a file that a crash has left. A file that a process has open stays: the map was copied, together with the
     * pointer to the file. A file that this JVM has open is not opened again: where locks belong to the process, that would
     * free its own.
     */
    public static void removeOld(Path path, Storage storage) {
        if (LOCKED_HERE.containsKey(path)) {
            return;
        }
        Optional<StorageFile> file = storage.open(path, true);
        if (file.isPresent()) {
            try (StorageFile old = file.get()) {
                if (old.tryLock(LIVE)) {
                    storage.delete(path);
                }
            }
        }
    }

    private boolean isReady(long number) {
        boolean ready = Words.getAcquire(memory, STATE) == READY;
        try {
            if (ready) {
                check(number);
            }
            return ready;
        } catch (RuntimeException | Error e) {
            ready = false;
            throw e;
        } finally {
            if (!ready) {
                close();
            }
        }
    }

    private void check(long number) {
        FileHeader.read(memory, path(), IndexFileLayout.FORMAT, IndexFileLayout.VERSION, Features.NONE, true);
        long found = Words.getPlain(memory, IndexFileLayout.OPENING);
        if (found != number) {
            throw new CorruptException(path() + ": index of opening " + Long.toHexString(found) + ", expected "
                    + Long.toHexString(number));
        }
    }

    /** Lets other processes attach. They see everything that was stored before. */
    public void makeReady() {
        Words.setRelease(memory, STATE, READY);
    }

    public Opening opening() {
        return new Opening(
                Words.getPlain(memory, IndexFileLayout.OPENING),
                new UUID(
                        Words.getPlain(memory, IndexFileLayout.IDENTITY_HIGH),
                        Words.getPlain(memory, IndexFileLayout.IDENTITY_LOW)),
                Words.getPlain(memory, IndexFileLayout.SEED),
                Words.getPlain(memory, IndexFileLayout.LARGEST_SEGMENT));
    }

    public Path path() {
        return file.path();
    }

    /** Returns the whole memory. A part that was never backed must not be touched. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the address of the memory, for loads without {@link #memory}, if it stays mapped for ever; else 0. */
    public long address() {
        return KeptArena.address(arena, memory);
    }

    /** Returns how many pages there are places for. */
    public int stepsMax() {
        return (int) Math.min(IndexFileLayout.STEPS_MAX, (memory.byteSize() - STEPS_AT) >> IndexPageLayout.SHIFT);
    }

    /** Returns how many more bytes may be allocated; the greatest number if that is not known. */
    public long usableBytes() {
        Path folder = path().toAbsolutePath().getParent();
        return folder == null ? Long.MAX_VALUE : storage.usableBytes(folder);
    }

    /**
     * Allocates the memory pages of a range, and changes no byte; any number of processes may allocate the same range.
     *
     * @throws IndexFullException if there is no room for them
     */
    public void back(long at, long bytes) {
        back(at, bytes, Storage::populateForWrite);
    }

    /** Does the same for whole units, with large memory pages if they are available. */
    public void backLarge(long at, long bytes) {
        assert at % IndexFileLayout.UNIT_BYTES == 0 && bytes % IndexFileLayout.UNIT_BYTES == 0 : at;
        back(at, bytes, Storage::populateLargePages);
    }

    private void back(long at, long bytes, BiConsumer<Storage, MemorySegment> populate) {
        try {
            populate.accept(storage, memory.asSlice(at, bytes));
        } catch (DiskFullException e) {
            throw new IndexFullException(
                    path() + ": no room for " + bytes + " bytes more of the map's index; nothing was changed", e);
        }
    }

    /** Releases the memory of a range, which is zeros then, and has none until it is backed again; returns whether it could. */
    public boolean giveBack(long at, long bytes) {
        return file.discard(at, bytes);
    }

    /** Removes the name, so that no more processes attach. */
    public void delete() {
        storage.delete(path());
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        if (!closed) {
            closed = true;
            close(file, storage, locked);
        }
    }
}
