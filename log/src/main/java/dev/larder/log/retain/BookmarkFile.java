package dev.larder.log.retain;

import dev.larder.log.format.BookmarkLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.shared.PrivateFiles;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** The mapped bookmarks of a log: its entries, and the choice of the valid mark of an entry. */
public final class BookmarkFile implements AutoCloseable {

    /** The position of an entry before anything was read: the oldest record, wherever that is. */
    public static final long START = 0;

    private static final int TRIES = 1000;

    private final StorageFile file;
    private final String identity;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;

    private BookmarkFile(StorageFile file, String fileIdentity, boolean writable, UUID identity) {
        this.file = file;
        this.identity = fileIdentity;
        try {
            if (file.sizeBytes() < BookmarkLayout.SIZE_BYTES) {
                throw new TruncatedException(file.path() + ": bookmarks of " + file.sizeBytes() + " bytes, need "
                        + BookmarkLayout.SIZE_BYTES);
            }
            this.memory = file.map(0, BookmarkLayout.SIZE_BYTES, writable, arena);
            FileHeader.read(
                    memory, file.path(), BookmarkLayout.FORMAT, BookmarkLayout.VERSION, Features.NONE, writable);
            checkIdentity(identity);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void checkIdentity(UUID identity) {
        UUID found = new UUID(
                Words.getPlain(memory, BookmarkLayout.IDENTITY_HIGH),
                Words.getPlain(memory, BookmarkLayout.IDENTITY_LOW));
        if (!found.equals(identity)) {
            throw new CorruptException(path() + ": bookmarks of log " + found + ", expected " + identity);
        }
    }

    /** Opens the bookmarks of a log; empty where there is no file, or a file of no bytes. */
    public static Optional<BookmarkFile> open(Path directory, Storage storage, boolean writable, UUID identity) {
        Path path = directory.resolve(BookmarkLayout.FILE_NAME);
        return storage.open(path, writable).flatMap(file -> {
            try {
                if (file.sizeBytes() > 0) {
                    return Optional.of(new BookmarkFile(file, storage.fileIdentity(path), writable, identity));
                }
            } catch (RuntimeException | Error e) {
                file.close();
                throw e;
            }
            file.close();
            return Optional.empty();
        });
    }

    /**
     * Returns whether there is a file, even one of no bytes: with an empty file a person allows the bookmarks to begin anew.
     */
    static boolean isThere(Path directory, Storage storage) {
        Optional<StorageFile> found = storage.open(directory.resolve(BookmarkLayout.FILE_NAME), false);
        found.ifPresent(StorageFile::close);
        return found.isPresent();
    }

    /** Returns whether the file still has its name: it may have been removed or replaced since it was opened. */
    boolean hasItsName(Storage storage) {
        return storage.fileIdentity(path()).equals(identity);
    }

    /** Makes the file: whole under another name, then durably under its own name. Under NAMES. */
    public static void create(Path directory, Storage storage, Access access, UUID identity) {
        Path temporary = directory.resolve("new-bookmarks" + PrivateFiles.SUFFIX);
        storage.delete(temporary);
        try (StorageFile file = storage.create(temporary, access).orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.allocate(BookmarkLayout.SIZE_BYTES, Allocation.RESERVE);
            MemorySegment memory = file.map(0, BookmarkLayout.SIZE_BYTES, true, arena);
            Words.setPlain(memory, BookmarkLayout.IDENTITY_HIGH, identity.getMostSignificantBits());
            Words.setPlain(memory, BookmarkLayout.IDENTITY_LOW, identity.getLeastSignificantBits());
            FileHeader.write(
                    memory, BookmarkLayout.FORMAT, BookmarkLayout.VERSION, BookmarkLayout.HEADER_BYTES, Features.NONE);
            file.forceAll();
        }
        storage.rename(temporary, directory.resolve(BookmarkLayout.FILE_NAME));
        storage.syncDirectory(directory);
    }

    Path path() {
        return file.path();
    }

    /** Returns whether an entry was ever written; the first entry that was not is the end of the list. */
    boolean wasUsed(int entry) {
        return Words.getAcquire(memory, BookmarkLayout.name(entry)) != 0;
    }

    /** Returns whether an entry is being named; under NAMES, this means that a process died while it named the entry. */
    boolean isBeingNamed(int entry) {
        return Words.getAcquire(memory, BookmarkLayout.name(entry)) == BookmarkLayout.NAMING;
    }

    boolean isSound(int entry) {
        return Words.getAcquire(memory, BookmarkLayout.name(entry)) == nameCheck(entry);
    }

    /** Returns whether an entry has a whole name. */
    boolean isNamed(int entry) {
        return isSound(entry) && lengthOf(entry) > 0 && lengthOf(entry) <= BookmarkLayout.NAME_MAX_BYTES;
    }

    private long lengthOf(int entry) {
        return Words.getPlain(memory, BookmarkLayout.name(entry) + BookmarkLayout.NAME_LENGTH);
    }

    private long nameCheck(int entry) {
        long at = BookmarkLayout.name(entry) + BookmarkLayout.NAME_SALT;
        return (1L << 32) | Integer.toUnsignedLong(Crc32c.of(memory, at, BookmarkLayout.NAME_CHECKED_BYTES));
    }

    String name(int entry) {
        byte[] bytes = new byte[(int) lengthOf(entry)];
        long at = BookmarkLayout.name(entry) + BookmarkLayout.NAME_BYTES;
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Names an entry, or frees it with an empty name. The new salt makes its earlier marks invalid. A process that dies
     * meanwhile leaves the entry without a name, in the state NAMING. Under NAMES.
     */
    public void rename(int entry, String name, long salt) {
        rename(entry, name, salt, Failpoints.NONE);
    }

    void rename(int entry, String name, long salt, Failpoints steps) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        long at = BookmarkLayout.name(entry);
        Words.setVolatile(memory, at, BookmarkLayout.NAMING);
        VarHandle.storeStoreFence();
        Words.setPlain(memory, at + BookmarkLayout.NAME_SALT, salt);
        steps.reached("bookmark.naming");
        Words.setPlain(memory, at + BookmarkLayout.NAME_LENGTH, bytes.length);
        memory.asSlice(at + BookmarkLayout.NAME_BYTES, BookmarkLayout.NAME_MAX_BYTES)
                .fill((byte) 0);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at + BookmarkLayout.NAME_BYTES, bytes.length);
        Words.setRelease(memory, at, nameCheck(entry));
    }

    long owner(int entry) {
        return Words.getAcquire(memory, BookmarkLayout.owner(entry));
    }

    long processId(int entry) {
        return Words.getPlain(memory, BookmarkLayout.owner(entry) + BookmarkLayout.OWNER_PROCESS);
    }

    long sinceMillis(int entry) {
        return Words.getPlain(memory, BookmarkLayout.owner(entry) + BookmarkLayout.OWNER_SINCE);
    }

    /** Returns the time since which no process holds an entry; 0 where a process does, or none has noticed. */
    long absentMillis(int entry) {
        return Words.getAcquire(memory, BookmarkLayout.owner(entry) + BookmarkLayout.OWNER_ABSENT);
    }

    /** Records that no process holds an entry, unless that was recorded before. */
    void noteAbsent(int entry, long millis) {
        Words.compareAndSet(memory, BookmarkLayout.owner(entry) + BookmarkLayout.OWNER_ABSENT, 0, millis);
    }

    /** Gives an entry that no live process holds to a process. Under NAMES. */
    public void take(int entry, long owner, long processId, long sinceMillis) {
        long at = BookmarkLayout.owner(entry);
        Words.setPlain(memory, at + BookmarkLayout.OWNER_PROCESS, processId);
        Words.setPlain(memory, at + BookmarkLayout.OWNER_SINCE, sinceMillis);
        Words.setRelease(memory, at + BookmarkLayout.OWNER_ABSENT, 0);
        Words.setVolatile(memory, at, owner);
    }

    /** Gives an entry back; an entry that was taken over meanwhile stays with its new owner. */
    void release(int entry, long owner, long nowMillis) {
        long at = BookmarkLayout.owner(entry);
        if (owner(entry) == owner) {
            Words.setPlain(memory, at + BookmarkLayout.OWNER_PROCESS, 0);
            Words.setPlain(memory, at + BookmarkLayout.OWNER_SINCE, 0);
            Words.setRelease(memory, at + BookmarkLayout.OWNER_ABSENT, nowMillis);
            Words.compareAndSet(memory, at, owner, 0);
        }
    }

    /** Removes the owner of an entry, which is dead. */
    void disown(int entry) {
        Words.setVolatile(memory, BookmarkLayout.owner(entry), 0);
    }

    /** Moves an entry. For its owner only. The counter is one more than that of the last mark, which stays whole meanwhile. */
    public void move(int entry, long counter, long position) {
        store(BookmarkLayout.live(entry, counter), salt(entry), counter, position);
    }

    private void store(long at, long salt, long counter, long position) {
        Words.setRelease(memory, at + 16, 0);
        Words.setRelease(memory, at, counter);
        Words.setRelease(memory, at + 8, position);
        Words.setRelease(memory, at + 16, check(salt, counter, position));
    }

    /** Returns the counter of the newest valid mark; 0 where there is none. */
    public long counter(int entry) {
        long newest = newest(entry);
        return isValid(entry, newest) ? Words.getAcquire(memory, newest) : 0;
    }

    /** Returns the position of an entry. Any process may call this while the owner moves the entry. */
    public long position(int entry) {
        for (int tries = 0; tries < TRIES; tries++) {
            long at = newest(entry);
            long counter = Words.getAcquire(memory, at);
            long position = Words.getAcquire(memory, at + 8);
            if (Words.getAcquire(memory, at + 16) == check(salt(entry), counter, position)) {
                return position;
            }
            Thread.onSpinWait();
        }
        return START;
    }

    /** Returns the offset of the valid mark with the greatest counter. After a loss of power that may be a copy. */
    private long newest(int entry) {
        long live = newer(entry, BookmarkLayout.live(entry, 0), BookmarkLayout.live(entry, 1));
        return newer(entry, live, newestCopy(entry));
    }

    private long newestCopy(int entry) {
        return newer(entry, BookmarkLayout.copyA(entry), BookmarkLayout.copyB(entry));
    }

    /** Returns the newer valid mark of two; the first where their counters are equal, or none is valid. */
    private long newer(int entry, long a, long b) {
        boolean second =
                isValid(entry, b) && (!isValid(entry, a) || Words.getAcquire(memory, a) < Words.getAcquire(memory, b));
        return second ? b : a;
    }

    private boolean isValid(int entry, long at) {
        long check = Words.getAcquire(memory, at + 16);
        return check != 0
                && check == check(salt(entry), Words.getAcquire(memory, at), Words.getAcquire(memory, at + 8));
    }

    private static long check(long salt, long counter, long position) {
        long high = Integer.toUnsignedLong(RecordWord.fold(salt, counter, position));
        long low = Integer.toUnsignedLong(RecordWord.fold(salt, ~position, counter));
        return (high << 32) | low | 1;
    }

    /** Returns the salt of the checks of an entry's marks; it changes when the entry gets another name. */
    public long salt(int entry) {
        return Words.getAcquire(memory, BookmarkLayout.name(entry) + BookmarkLayout.NAME_SALT);
    }

    /**
     * Copies an entry's mark over the older of its copies, if the mark is newer than both. Returns whether it was. Under SYNC.
     */
    public boolean copy(int entry) {
        return copy(entry, salt(entry));
    }

    /**
     * Copies with the salt that the entry had before its marks were read. If the entry gets another name meanwhile, the copy
     * is invalid. With the new salt, the former owner's position would pass as the new owner's.
     */
    public boolean copy(int entry, long salt) {
        long newest = newest(entry);
        long last = newestCopy(entry);
        long counter = Words.getAcquire(memory, newest);
        boolean due = isValid(entry, newest) && (!isValid(entry, last) || counter > Words.getAcquire(memory, last));
        if (due) {
            long older = last == BookmarkLayout.copyA(entry) && isValid(entry, last)
                    ? BookmarkLayout.copyB(entry)
                    : BookmarkLayout.copyA(entry);
            store(older, salt, counter, Words.getAcquire(memory, newest + 8));
        }
        return due;
    }

    public void force() {
        file.force(memory);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        file.close();
    }
}
