package dev.larder.log.retain;

import dev.larder.log.BookmarkHeldException;
import dev.larder.log.BookmarkInfo;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.format.BookmarkLayout;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.segment.ReadView;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.LogFailure;
import dev.larder.log.shared.Member;
import dev.larder.memory.Access;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.NewerFormatException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.TruncatedException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The bookmarks of a log: positions that have a name, survive, and hold back the dropping of segments. A process takes a name
 * under the byte NAMES, and then moves it alone, without a lock. The name is free again when that process gives it back, or is
 * found dead by its slot's generation and LIVE byte.
 */
public final class Bookmarks {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");
    private static final long LOCK_WAIT_NANOS = 30_000_000_000L;
    private static final long GENERATION_MASK = (1L << 48) - 1;

    private final Path directory;
    private final Storage storage;
    private final Failpoints steps;
    private final Access access;
    private final ControlFile control;
    private final LogFailure failure;
    private final @Nullable Member member;
    private final @Nullable ReadView view;
    private final LongSupplier firstPosition;
    private final SecureRandom salts = new SecureRandom();
    private final Set<HeldBookmark> taken = ConcurrentHashMap.newKeySet();
    private volatile @Nullable BookmarkFile file;
    private volatile boolean closed;

    /**
     * The bookmarks of a log.
     *
     * @param member this process; null where the log was opened read-only
     * @param view the part of the log that may be read; null where the log was opened for writing
     * @param firstPosition returns where the oldest record begins
     */
    public Bookmarks(
            Path directory,
            LogOptions options,
            ControlFile control,
            LogFailure failure,
            @Nullable Member member,
            @Nullable ReadView view,
            LongSupplier firstPosition) {
        this.directory = directory;
        this.storage = HookedOptions.storage(options);
        this.steps = HookedOptions.of(options).failpoints();
        this.access = options.access().files();
        this.control = control;
        this.failure = failure;
        this.member = member;
        this.view = view;
        this.firstPosition = firstPosition;
    }

    private Member member() {
        if (member == null) {
            throw new ReadOnlyException(directory + ": the log was opened read-only");
        }
        return member;
    }

    Path directory() {
        return directory;
    }

    /**
     * Returns the file. Looks for it as long as there is none, since another process may have made it.
     *
     * @throws CorruptException where there was a file, and is none now: the positions of all names are lost
     */
    private synchronized Optional<BookmarkFile> file() {
        if (closed) {
            throw new ClosedException(directory + ": the log was closed");
        }
        if (file == null) {
            boolean expected = control.hasBookmarks(); // before the open: it is set after the file is made
            file = BookmarkFile.open(directory, storage, member != null, control.identity())
                    .orElse(null);
            if (file == null && expected && !BookmarkFile.isThere(directory, storage)) {
                throw new CorruptException(directory.resolve(BookmarkLayout.FILE_NAME)
                        + ": the bookmarks are missing, and with them the positions of all names. Restore the file, or"
                        + " make an empty one of that name: then every name begins at the first record");
            }
        }
        return Optional.ofNullable(file);
    }

    /** Returns the file, and makes it where there is none. Under NAMES. */
    private BookmarkFile fileOrNew() {
        if (file().isEmpty()) {
            BookmarkFile.create(directory, storage, access, control.identity());
        }
        BookmarkFile there = file().orElseThrow();
        if (!there.hasItsName(storage)) {
            throw new CorruptException(there.path() + ": the bookmarks were removed or replaced while the log was open;"
                    + " close the log in every process, and open it again");
        }
        if (!control.hasBookmarks()) {
            storage.syncDirectory(directory); // the process that made the file may have died before this step
            control.noteBookmarks();
        }
        return there;
    }

    /** Takes a bookmark; makes it where there is none of that name. */
    public HeldBookmark take(String name) {
        checkName(name);
        LockFile locks = member().locks();
        locks.lock(LockFile.NAMES, "the names lock", LOCK_WAIT_NANOS);
        try {
            BookmarkFile known = fileOrNew();
            OptionalInt there = find(known, name);
            int entry = there.isPresent() ? there.getAsInt() : add(known, name);
            checkFree(known, entry);
            long owner = ownerOf(member().slot());
            known.take(entry, owner, ProcessHandle.current().pid(), storage.currentTimeMillis());
            return taken(known, name, entry, owner);
        } finally {
            locks.unlock(LockFile.NAMES);
        }
    }

    /** Returns the bookmark of an entry that this process has just taken. After an error, the entry is free again. */
    private HeldBookmark taken(BookmarkFile known, String name, int entry, long owner) {
        try {
            HeldBookmark bookmark = new HeldBookmark(this, name, entry, owner, known.counter(entry));
            AccessErrors.deliver();
            taken.add(bookmark);
            return bookmark;
        } catch (RuntimeException | Error e) {
            known.release(entry, owner, storage.currentTimeMillis());
            throw e;
        }
    }

    private void checkName(String name) {
        int length = lengthBytes(name);
        if (length == 0 || length > BookmarkLayout.NAME_MAX_BYTES) {
            throw new IllegalArgumentException(directory + ": a name has 1 to " + BookmarkLayout.NAME_MAX_BYTES
                    + " bytes of UTF-8, not " + length + ": \"" + name + "\"");
        }
    }

    private int lengthBytes(String name) {
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(java.nio.CharBuffer.wrap(name))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    directory + ": a name has half of a surrogate pair: \"" + name + "\"", e);
        }
    }

    private static OptionalInt find(BookmarkFile file, String name) {
        return entries(file)
                .filter(entry -> file.isNamed(entry) && file.name(entry).equals(name))
                .findFirst();
    }

    private static IntStream entries(BookmarkFile file) {
        return IntStream.range(0, BookmarkLayout.COUNT).takeWhile(file::wasUsed);
    }

    /** Names an entry, durably: one that was never used, was dropped, or was left while it was named. */
    private int add(BookmarkFile file, String name) {
        int entry = IntStream.range(0, BookmarkLayout.COUNT)
                .filter(free -> isFree(file, free))
                .findFirst()
                .orElseThrow(() -> new LogBusyException(file.path() + ": all " + BookmarkLayout.COUNT
                        + " names are taken; drop one to add \"" + name + "\""));
        file.take(entry, 0, 0, 0);
        file.rename(entry, name, salts.nextLong(), steps);
        file.move(entry, 1, BookmarkFile.START);
        file.copy(entry);
        force(file);
        return entry;
    }

    private static boolean isFree(BookmarkFile file, int entry) {
        boolean dropped = file.isSound(entry) && !file.isNamed(entry);
        return !file.wasUsed(entry) || file.isBeingNamed(entry) || dropped;
    }

    private void checkFree(BookmarkFile file, int entry) {
        long owner = file.owner(entry);
        if (isAlive(owner)) {
            throw held(file, entry, owner == ownerOf(member().slot()) ? "this process, " : "process ");
        }
    }

    private BookmarkHeldException held(BookmarkFile file, int entry, String who) {
        return new BookmarkHeldException(file.path() + ": \"" + file.name(entry) + "\" is held by " + who
                + file.processId(entry) + " since " + Instant.ofEpochMilli(file.sinceMillis(entry))
                + ", and stands at position " + Position.toString(file.position(entry)));
    }

    private long ownerOf(int slot) {
        return ((slot + 1L) << 48) | (control.generationAcquire(slot) & GENERATION_MASK);
    }

    /** Returns whether an owner lives, by its slot's generation and LIVE byte. */
    private boolean isAlive(long owner) {
        int slot = (int) (owner >>> 48) - 1;
        if (slot < 0 || slot >= ControlLayout.SLOT_COUNT || ownerOf(slot) != owner) {
            return false;
        }
        return view == null ? member().locks().isHeld(LockFile.live(slot)) : view.isAlive(slot);
    }

    /**
     * Fails where a position cannot be in the log. A bookmark before the log would hold everything for ever, and one behind it
     * nothing at all. A reader may stand in a segment whose writer has not raised the tail yet.
     */
    private void requirePossible(HeldBookmark bookmark, long position) {
        int tail = control.tailAcquire();
        if (position < 0 || Position.segment(position) > tail + 1) {
            throw new IllegalArgumentException(bookmark + " cannot move to position " + Position.toString(position)
                    + ": the log's last segment is " + tail);
        }
    }

    long position(HeldBookmark bookmark) {
        return open().position(bookmark.entry());
    }

    void move(HeldBookmark bookmark, long owner, long counter, long position) {
        BookmarkFile known = open();
        requirePossible(bookmark, position);
        if (known.owner(bookmark.entry()) != owner) {
            throw held(known, bookmark.entry(), "process ");
        }
        known.move(bookmark.entry(), counter, position);
    }

    private BookmarkFile open() {
        BookmarkFile known = file;
        if (closed || known == null) {
            throw new ClosedException(directory + ": the log was closed");
        }
        return known;
    }

    void release(HeldBookmark bookmark, long owner) {
        if (taken.remove(bookmark) && !closed) {
            open().release(bookmark.entry(), owner, storage.currentTimeMillis());
        }
    }

    /** Drops a bookmark; returns false when there is none of that name. */
    public boolean drop(String name) {
        LockFile locks = member().locks();
        locks.lock(LockFile.NAMES, "the names lock", LOCK_WAIT_NANOS);
        try {
            Optional<BookmarkFile> known = file();
            OptionalInt entry = known.map(found -> find(found, name)).orElse(OptionalInt.empty());
            entry.ifPresent(there -> drop(known.orElseThrow(), there));
            return entry.isPresent();
        } finally {
            locks.unlock(LockFile.NAMES);
        }
    }

    private void drop(BookmarkFile file, int entry) {
        checkFree(file, entry);
        file.rename(entry, "", salts.nextLong(), steps);
        force(file);
    }

    /** Returns all bookmarks, by name. */
    public List<BookmarkInfo> list() {
        List<BookmarkInfo> all = new ArrayList<>();
        file().ifPresent(known -> entries(known).filter(known::isNamed).forEach(entry -> all.add(info(known, entry))));
        all.sort((a, b) -> a.name().compareTo(b.name()));
        return all;
    }

    private BookmarkInfo info(BookmarkFile file, int entry) {
        Optional<BookmarkInfo.Owner> owner = isAlive(file.owner(entry))
                ? Optional.of(
                        new BookmarkInfo.Owner(file.processId(entry), Instant.ofEpochMilli(file.sinceMillis(entry))))
                : Optional.empty();
        long absent = owner.isPresent() ? 0 : absentMillis(file, entry);
        return new BookmarkInfo(
                file.name(entry),
                held(file, entry),
                owner,
                absent == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(absent)));
    }

    /**
     * Returns the time since which no process holds an entry that has no owner. The first process that sees this records the
     * time.
     */
    private long absentMillis(BookmarkFile file, int entry) {
        if (file.absentMillis(entry) == 0 && member != null) {
            noteAbsent(file, entry);
        }
        return file.absentMillis(entry);
    }

    /** Records the time under NAMES, so that no process takes the entry meanwhile. Where NAMES is held, records nothing. */
    private void noteAbsent(BookmarkFile file, int entry) {
        LockFile locks = member().locks();
        if (locks.tryLock(LockFile.NAMES)) {
            try {
                if (!isAlive(file.owner(entry))) {
                    file.noteAbsent(entry, storage.currentTimeMillis());
                }
            } finally {
                locks.unlock(LockFile.NAMES);
            }
        }
    }

    /** Returns the position of an entry: the log's first where nothing was read, and none behind the end that may be read. */
    private long held(BookmarkFile file, int entry) {
        long position = file.position(entry);
        long end = view == null ? Long.MAX_VALUE : view.limit();
        return position == BookmarkFile.START ? firstPosition.getAsLong() : Math.min(position, end);
    }

    /**
     * Returns the holds of all bookmarks, except those that no process has held for longer than the given time.
     *
     * @param longestAbsenceMillis the time after which a bookmark without an owner holds nothing back
     */
    public Holds holds(long longestAbsenceMillis) {
        return () -> {
            try {
                return file().map(known -> lowestHeld(known, storage.currentTimeMillis() - longestAbsenceMillis))
                        .orElseGet(Holds.NONE::lowestHeld);
            } catch (CorruptException | TruncatedException | ForeignFileException | NewerFormatException e) {
                return 0; // what is held cannot be known
            }
        };
    }

    private long lowestHeld(BookmarkFile file, long absentSince) {
        return entries(file)
                .filter(file::isNamed)
                .filter(entry -> isAlive(file.owner(entry)) || !isAbsentSince(absentSince, absentMillis(file, entry)))
                .mapToLong(entry -> held(file, entry))
                .min()
                .orElseGet(Holds.NONE::lowestHeld);
    }

    /** Returns whether there may be a bookmark. Does not ask the file system where no process has ever recorded one. */
    public boolean exist() {
        return (file != null || control.hasBookmarks()) && fileIfSound().isPresent();
    }

    /** Returns the file; empty also where it is damaged. Taking a bookmark reports that damage; records do not depend on it. */
    private Optional<BookmarkFile> fileIfSound() {
        try {
            return file();
        } catch (CorruptException | TruncatedException | ForeignFileException | NewerFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean isAbsentSince(long limit, long absent) {
        return absent != 0 && absent < limit;
    }

    /** Makes every bookmark durable where it stands now; for the holder of SYNC only. */
    public void sync() {
        Optional<BookmarkFile> known = fileIfSound();
        boolean due = known.isPresent()
                && entries(known.get())
                                .filter(known.get()::isNamed)
                                .filter(known.get()::copy)
                                .count()
                        > 0;
        if (due) {
            force(known.get());
        }
    }

    /**
     * Flushes the file. After a failed flush, pages that were never written count as clean, so no later flush can be trusted.
     */
    private void force(BookmarkFile file) {
        try {
            AccessErrors.deliver();
            file.force();
        } catch (SystemLimitException e) {
            throw e; // a further try shows whether the pages have reached the disk
        } catch (StorageException | Error e) {
            control.failFlush();
            throw failure.failed("a flush of " + BookmarkLayout.FILE_NAME + " failed", e);
        }
    }

    /** Reports what is damaged. */
    public void verify(Consumer<String> problem) {
        try {
            file().ifPresent(known -> entries(known)
                    .filter(entry -> !known.isSound(entry) && !known.isBeingNamed(entry))
                    .forEach(entry -> problem.accept(known.path() + ": the name of entry " + entry + ", at offset "
                            + BookmarkLayout.name(entry) + ", fails its check")));
        } catch (CorruptException | TruncatedException | ForeignFileException | NewerFormatException e) {
            problem.accept(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Takes back every bookmark that lies behind a cut, since other records will get the positions there. Removes all owners:
     * a generation may be given again, as the slots on the disk may be older. Durably, under GATE, before anything is
     * appended.
     */
    public static void cut(Path directory, Storage storage, ControlFile control, long end) {
        try {
            BookmarkFile.open(directory, storage, true, control.identity()).ifPresent(known -> cut(known, end));
        } catch (CorruptException | TruncatedException | ForeignFileException | NewerFormatException e) {
            LOGGER.log(System.Logger.Level.WARNING, "no bookmark survives the recovery: " + e.getMessage(), e);
        }
    }

    /** Takes back twice: then none of the marks and copies leads behind the cut, whichever of them is lost the next time. */
    private static void cut(BookmarkFile known, long end) {
        try (BookmarkFile file = known) {
            takeBack(file, end);
            takeBack(file, end);
        }
    }

    private static void takeBack(BookmarkFile file, long end) {
        entries(file).filter(file::isNamed).forEach(entry -> {
            file.disown(entry);
            file.move(entry, file.counter(entry) + 1, Math.min(file.position(entry), end));
            file.copy(entry);
        });
        file.force();
    }

    /** Gives back all bookmarks that this process holds. */
    public void releaseAll() {
        Set.copyOf(taken).forEach(HeldBookmark::close);
    }

    public synchronized void close() {
        closed = true;
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
