package dev.larder.log.shared;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogRetention;
import dev.larder.log.Position;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RowWord;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.KeptArena;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The mapped control file: the words that all processes of a log share, each with the mode in which it is accessed. */
public final class ControlFile implements AutoCloseable {

    /** How the log was left. */
    public enum State {
        OPEN,
        CLEAN
    }

    /** The words that a closing or opening process wrote: positions, and an identity that tells whether memory is the same. */
    public record Ending(State state, long tail, long durable, MemoryIdentity memory) {}

    /** The place where a walk after a power loss may begin: what a sync returned, and the salt of its segment. */
    public record Place(long counter, long position, long salt) {}

    /** The bit of a log whose records a structure above links: a process that does not know the bit may read, and not write. */
    private static final long LINKED = 1;

    private static final Features KNOWN = new Features(0, LINKED, 0);
    static final int REASON_CLOSE = 0;
    private static final int REASON_FLUSH = 1;
    static final int REASON_REMOVED = 3;
    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    private final StorageFile file;

    /** The storage that opens the file again for a flush; null where the file stays open. */
    private final @Nullable Storage reopening;

    private final Arena arena;
    public final MemorySegment memory;
    private final boolean linked;

    /** The failure as this process knows it, whether the file could take it or not; 0 as long as there is none. */
    private volatile long known;

    private volatile Runnable whenFailed = () -> {};

    /** Whether that action was taken. An error of the JVM may end it: then it is taken again. */
    private volatile boolean handled;

    /** The slot of this process, once it has one. */
    private volatile int slot;

    /** Maps the control file, and keeps it open. */
    public ControlFile(StorageFile file, boolean writable) {
        this(file, writable, null, Arena.ofShared());
    }

    private ControlFile(StorageFile file, boolean writable, @Nullable Storage reopening, Arena arena) {
        this.file = file;
        this.reopening = reopening;
        this.arena = arena;
        try {
            if (file.sizeBytes() < ControlLayout.SIZE_BYTES) {
                throw new TruncatedException(file.path() + ": control file of " + file.sizeBytes() + " bytes, needs "
                        + ControlLayout.SIZE_BYTES);
            }
            this.memory = file.map(0, ControlLayout.SIZE_BYTES, writable, arena);
            if (reopening != null && writable) {
                SinglePages.bringIn(memory.asSlice(0, ControlLayout.SLOT_TABLE + ControlLayout.SLOT_BYTES), reopening);
            }
            FileHeader header =
                    FileHeader.read(memory, path(), ControlLayout.FORMAT, ControlLayout.VERSION, KNOWN, writable);
            this.linked = (header.features().readOnlyCompatible() & LINKED) != 0;
            requireFirst();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Maps the control file, and closes its descriptor: a process may have many logs open. The mapping stays valid without
     * it, and a flush of the mapping reports every error since it was made. The arena is closed with the control file.
     */
    public static ControlFile open(StorageFile file, boolean writable, Storage storage, Arena arena) {
        ControlFile control = new ControlFile(file, writable, storage, arena);
        file.close();
        return control;
    }

    /** Fails if the number of the first segment is damaged: a process that trusted it would delete the segments below it. */
    private void requireFirst() {
        long word = Words.getVolatile(memory, ControlLayout.FIRST);
        int number = (int) word;
        if (number < 0 || word != ControlLayout.first(number)) {
            throw new CorruptException(path() + ": the number of the first segment, at offset " + ControlLayout.FIRST
                    + ", fails its check: " + number + " with " + Integer.toHexString((int) (word >>> Integer.SIZE)));
        }
    }

    /** Writes the header of a new log into a file whose name no other process uses. */
    public static void format(
            MemorySegment memory,
            UUID identity,
            IntegrityMode integrity,
            long largest,
            LogRetention retention,
            boolean linked,
            long createdMillis) {
        Words.setPlain(memory, ControlLayout.IDENTITY_HIGH, identity.getMostSignificantBits());
        Words.setPlain(memory, ControlLayout.IDENTITY_LOW, identity.getLeastSignificantBits());
        Words.setPlain(memory, ControlLayout.CREATED, createdMillis);
        Words.setPlain(memory, ControlLayout.LARGEST_SEGMENT, largest);
        memory.set(Words.INT, ControlLayout.INTEGRITY, IntegrityCode.of(integrity));
        memory.set(Words.INT, ControlLayout.SLOTS, ControlLayout.SLOT_COUNT);
        Words.setPlain(memory, ControlLayout.RETENTION_BYTES, retention.bytes().orElse(0));
        Words.setPlain(memory, ControlLayout.RETENTION_AGE, millisPlusOne(retention.age()));
        Words.setPlain(memory, ControlLayout.RETENTION_ABSENCE, millisPlusOne(retention.absence()));
        Features features = linked ? KNOWN : Features.NONE;
        FileHeader.write(memory, ControlLayout.FORMAT, ControlLayout.VERSION, ControlLayout.HEADER_BYTES, features);
    }

    /** Returns whether a structure above links the records: then only that structure appends, and drops. */
    public boolean isLinked() {
        return linked;
    }

    public Path path() {
        return file.path();
    }

    public IntegrityMode integrity() {
        return IntegrityCode.mode(memory.get(Words.INT, ControlLayout.INTEGRITY), path());
    }

    public long largestSegmentBytes() {
        return Words.getPlain(memory, ControlLayout.LARGEST_SEGMENT);
    }

    /** Returns the retention with which the log was created. */
    public LogRetention retention() {
        long bytes = Words.getPlain(memory, ControlLayout.RETENTION_BYTES);
        try {
            return new LogRetention(
                    bytes == 0 ? OptionalLong.empty() : OptionalLong.of(bytes),
                    duration(Words.getPlain(memory, ControlLayout.RETENTION_AGE)),
                    duration(Words.getPlain(memory, ControlLayout.RETENTION_ABSENCE)));
        } catch (IllegalArgumentException e) {
            throw new CorruptException(path() + ": " + e.getMessage(), e);
        }
    }

    /** Returns a time as its milliseconds and one more: 0 is none. */
    private static long millisPlusOne(Optional<Duration> time) {
        return time.map(given -> given.toMillis() + 1).orElse(0L);
    }

    private static Optional<Duration> duration(long millisPlusOne) {
        return millisPlusOne == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millisPlusOne - 1));
    }

    /** Returns whether the log has bookmarks, in a file of their own: if that file is missing, the log has lost them. */
    public boolean hasBookmarks() {
        return Words.getAcquire(memory, ControlLayout.BOOKMARKS) != 0;
    }

    /** Durably records that the log has bookmarks; only after their file is durable under its name. Under NAMES. */
    public void noteBookmarks() {
        Words.setRelease(memory, ControlLayout.BOOKMARKS, 1);
        force();
    }

    public long createdMillis() {
        return Words.getPlain(memory, ControlLayout.CREATED);
    }

    public UUID identity() {
        return new UUID(
                Words.getPlain(memory, ControlLayout.IDENTITY_HIGH),
                Words.getPlain(memory, ControlLayout.IDENTITY_LOW));
    }

    /** Returns whether this file stays mapped for ever, like the segments: then its words can be loaded by their addresses. */
    public boolean isKept() {
        return KeptArena.address(arena, memory) != 0;
    }

    /** Returns the address of the word whose low half is {@link #firstVolatile}; only if the file {@link #isKept}. */
    public long firstAddress() {
        return memory.address() + ControlLayout.FIRST;
    }

    /** Returns the lowest segment number that exists, whatever the directory shows. */
    public int firstVolatile() {
        return (int) Words.getVolatile(memory, ControlLayout.FIRST);
    }

    /** Returns the same, in no order with other loads. */
    public int firstOpaque() {
        return (int) Words.getOpaque(memory, ControlLayout.FIRST);
    }

    /**
     * Returns {@link #firstVolatile} as it is after everything that was read before the call. If it has passed a segment,
     * what was read there is void.
     */
    public int firstAfterReads() {
        VarHandle.acquireFence();
        return firstVolatile();
    }

    /** SYNC POINT: pin. Drops the first segment, before the pins are read; returns whether this caller dropped it. */
    public boolean dropFirst(int number) {
        return Words.compareAndSet(
                memory, ControlLayout.FIRST, ControlLayout.first(number), ControlLayout.first(number + 1));
    }

    /** Returns where a walk to the settled end may begin: everything before it is settled, or was dropped. */
    public long settledStart() {
        return Math.max(durableAcquire(), Position.of(firstVolatile(), 0));
    }

    /** Returns the segment in which writers start to look; every earlier one has ended. */
    public int tailAcquire() {
        return (int) Words.getAcquire(memory, ControlLayout.TAIL);
    }

    /** Raises the tail; only for a caller that has seen the end of every earlier segment. */
    public void raiseTail(int segment) {
        Words.raise(memory, ControlLayout.TAIL, segment);
    }

    public void setTail(int segment) {
        Words.setRelease(memory, ControlLayout.TAIL, segment);
    }

    public long durableAcquire() {
        return Words.getAcquire(memory, ControlLayout.DURABLE);
    }

    /** Publishes the position that sync returned; only for the holder of SYNC. */
    public void durableRelease(long position) {
        Words.setRelease(memory, ControlLayout.DURABLE, position);
    }

    /**
     * Raises the time of the log to the clock's, and returns it. A time that was returned never goes back, whichever process
     * asks and however its clock jumps. A time that no clock can show is damage, and is replaced.
     */
    public long raiseTimeMillis(long nowMillis) {
        long told = timeMillis();
        while (told < nowMillis || told > RowWord.MILLIS_MAX) {
            if (Words.compareAndSet(memory, ControlLayout.TIME, told, nowMillis)) {
                return nowMillis;
            }
            told = timeMillis();
        }
        return told;
    }

    public long timeMillis() {
        return Words.getAcquire(memory, ControlLayout.TIME);
    }

    /**
     * Sets the action that the process of a slot takes once the log has failed: at once, on the thread that notices it. After
     * an error it is taken again, so it must do no harm twice.
     */
    public void whenFailed(int ownSlot, Runnable action) {
        slot = ownSlot;
        whenFailed = action;
    }

    /**
     * Returns 0, or which process failed the log, and why: {@code reason << 32 | slot + 1}. Also notices other processes'
     * failures, and does what is left to do of the action of {@link #whenFailed}.
     */
    public long failedVolatile() {
        long failed = known;
        if (failed == 0) {
            failed = Words.getVolatile(memory, ControlLayout.FAILED);
        }
        if (failed != 0) {
            notice(failed);
        }
        return failed;
    }

    private void notice(long failed) {
        known = failed;
        if (!handled) {
            whenFailed.run();
            handled = true;
        }
    }

    /** Fails the log: for this process first, because that needs no store into a file. */
    void fail(int reason, int slot) {
        long failed = ((long) reason << 32) | (slot + 1);
        try {
            notice(known == 0 ? failed : known);
        } finally {
            tellOthers(failed);
        }
    }

    /**
     * Tells the other processes of the failure. If the device has failed, and the file lies on it, each of them learns it by
     * a failure of its own. This is a store, and not a compare-and-set. HotSpot makes an error of a store that cannot be
     * served, but ends at a compare-and-set in code that it has not compiled yet. If two processes fail the log at once,
     * either failure may be told.
     */
    private void tellOthers(long failed) {
        try {
            if (Words.getVolatile(memory, ControlLayout.FAILED) == 0) {
                Words.setVolatile(memory, ControlLayout.FAILED, failed);
            }
            AccessErrors.deliver();
        } catch (InternalError e) {
            LOGGER.log(
                    System.Logger.Level.WARNING, path() + ": cannot tell other processes that the log has failed", e);
        }
    }

    /** Fails the log because a flush has failed: the system has marked pages as clean that it never wrote. */
    public void failFlush() {
        fail(REASON_FLUSH, slot);
    }

    /**
     * Clears a failure whose reason was that the files were removed. Under GATE, alone: a process that has opened this file by
     * its name has found it there again, as after a directory was moved, and no store or flush has failed.
     */
    public void clearRemoved() {
        if (failedVolatile() >>> 32 == REASON_REMOVED) {
            clearFailed();
        }
    }

    /** Fails the log because it could not be marked as closed. */
    public void failClose() {
        fail(REASON_CLOSE, slot);
    }

    public void clearFailed() {
        Words.setVolatile(memory, ControlLayout.FAILED, 0);
        known = 0;
        handled = false;
    }

    public long generationAcquire(int slot) {
        return Words.getAcquire(memory, ControlLayout.generation(slot));
    }

    public void generationRelease(int slot, long generation) {
        Words.setRelease(memory, ControlLayout.generation(slot), generation);
    }

    public long pinVolatile(int slot) {
        return Words.getVolatile(memory, ControlLayout.pin(slot));
    }

    public void pinVolatile(int slot, long value) {
        Words.setVolatile(memory, ControlLayout.pin(slot), value);
    }

    void pinRelease(int slot, long value) {
        Words.setRelease(memory, ControlLayout.pin(slot), value);
    }

    /** Returns how the log was left; empty if those words are torn. Under GATE. */
    public Optional<Ending> ending() {
        long at = ControlLayout.STATE;
        if (Words.getPlain(memory, at + 40) != endingCheck()) {
            return Optional.empty();
        }
        return Optional.of(new Ending(
                Words.getPlain(memory, at) == 0 ? State.OPEN : State.CLEAN,
                Words.getPlain(memory, at + 8),
                Words.getPlain(memory, at + 16),
                endingMemory()));
    }

    /**
     * Returns how the log was left. A process may have been killed while it stored that. If boot and mount are known and the
     * same, no page was lost since, and the log counts as left OPEN. The two were stored after any recovery from a loss of
     * power that this boot and mount needed. So memory is whole, whatever the other words are. Under GATE.
     */
    public Optional<Ending> ending(MemoryIdentity now) {
        return ending().or(() -> now.isSameAs(endingMemory())
                ? Optional.of(new Ending(State.OPEN, durableAcquire(), durableAcquire(), now))
                : Optional.empty());
    }

    private MemoryIdentity endingMemory() {
        long at = ControlLayout.STATE;
        return new MemoryIdentity(Words.getPlain(memory, at + 24), Words.getPlain(memory, at + 32));
    }

    /** Returns whether the log was ever marked as open, which happens, durably, before the first append. */
    public boolean wasOpened() {
        return Words.getPlain(memory, ControlLayout.STATE + 40) != 0;
    }

    /**
     * Writes how the log is left. Under GATE; {@link #force} makes it durable. Boot and mount are stored after everything
     * that the caller has put in order before: {@link #ending(MemoryIdentity)} trusts them without the check.
     */
    public void ending(Ending ending) {
        long at = ControlLayout.STATE;
        Words.setPlain(memory, at, ending.state() == State.CLEAN ? 1 : 0);
        Words.setPlain(memory, at + 8, ending.tail());
        Words.setPlain(memory, at + 16, ending.durable());
        Words.setRelease(memory, at + 24, ending.memory().boot());
        Words.setRelease(memory, at + 32, ending.memory().mount());
        Words.setRelease(memory, at + 40, endingCheck());
    }

    private long endingCheck() {
        return (1L << 32) | Integer.toUnsignedLong(Crc32c.of(memory, ControlLayout.STATE, 40));
    }

    /** Returns the valid place with the greater counter. Empty if both copies are damaged: creation wrote both. */
    public Optional<Place> place() {
        Optional<Place> a = placeAt(ControlLayout.PLACE_A);
        Optional<Place> b = placeAt(ControlLayout.PLACE_B);
        boolean second =
                b.isPresent() && (a.isEmpty() || a.get().counter() < b.get().counter());
        return second ? b : a;
    }

    /** Returns a message that names what is damaged, and where, when there is no valid {@link #place}. */
    public String placesDamaged() {
        return path() + ": both copies of the synced position, at offsets " + ControlLayout.PLACE_A + " and "
                + ControlLayout.PLACE_B + ", are damaged";
    }

    private Optional<Place> placeAt(long at) {
        Place place =
                new Place(Words.getPlain(memory, at), Words.getPlain(memory, at + 8), Words.getPlain(memory, at + 16));
        boolean sound = place.counter() != 0 && Words.getPlain(memory, at + 24) == placeCheck(at);
        return sound ? Optional.of(place) : Optional.empty();
    }

    /** Writes a place over the older of the two; {@link #force} makes it durable. */
    public void place(Place place) {
        long at = (place.counter() & 1) == 0 ? ControlLayout.PLACE_A : ControlLayout.PLACE_B;
        Words.setPlain(memory, at, place.counter());
        Words.setPlain(memory, at + 8, place.position());
        Words.setPlain(memory, at + 16, place.salt());
        Words.setPlain(memory, at + 24, placeCheck(at));
    }

    /** Writes both copies of the place, for a new log or where both are damaged. Under GATE, alone. */
    public void bothPlaces(long position, long salt) {
        place(new Place(1, position, salt));
        place(new Place(2, position, salt));
    }

    private long placeCheck(long at) {
        return (1L << 32) | Integer.toUnsignedLong(Crc32c.of(memory, at, 24));
    }

    /** Makes the control file durable; fails the log if that fails. */
    public void force() {
        force(() -> {});
    }

    /**
     * Writes a place over the older of the two, durably; only for the holder of SYNC. Where the file cannot be opened for the
     * flush, writes nothing: the next place would go over the other copy, which is then the only durable one.
     */
    public void forcePlace(Place place) {
        force(() -> place(place));
    }

    private void force(Runnable stores) {
        try {
            openAndFlush(stores);
        } catch (SystemLimitException e) {
            throw e; // a second try shows whether the pages have reached the disk
        } catch (StorageException e) {
            failFlush();
            throw e;
        }
    }

    private void openAndFlush(Runnable stores) {
        if (reopening == null) {
            stores.run();
            flush(file, memory);
            return;
        }
        try (StorageFile again = reopening
                .open(path(), true)
                .orElseThrow(() -> new StorageException(path() + ": the control file is missing"))) {
            stores.run();
            flush(again, memory);
        }
    }

    /**
     * Flushes a range of a file of this log. Fails the log after any error that leaves it unknown what the flush has done, also
     * after one of the JVM. An error that comes before the flush, as where memory is short, needs no such thing: the pages are
     * dirty still, and a later flush writes them.
     */
    public void flush(StorageFile open, MemorySegment range) {
        try {
            open.force(range);
        } catch (SystemLimitException e) {
            throw e; // a second try shows whether the pages have reached the disk
        } catch (StorageException | Error e) {
            failFlush();
            throw e;
        }
    }

    /** Makes the names in the log's directory durable. Fails the log as {@link #flush} does. */
    public void flushNames(Storage storage, Path directory) {
        try {
            storage.syncDirectory(directory);
        } catch (SystemLimitException e) {
            throw e; // a second try shows whether the names have reached the disk
        } catch (StorageException | Error e) {
            failFlush();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            if (arena.scope().isAlive()) {
                arena.close();
            }
        } finally {
            file.close();
        }
    }
}
