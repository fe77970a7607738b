package dev.larder.map.shared;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPointer;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The place where the shared memory of a map's index is made: {@code /dev/shm} if that has room to grow, else the map's
 * directory.
 *
 * <pre>
 * /dev/shm/larder-map-&lt;opening&gt;           a memory file system: what is stored there never reaches a disk
 * directory/map-&lt;opening&gt;.index           elsewhere: the system may write it back, and no process ever reads that again
 * </pre>
 */
public final class IndexLocation {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM_BYTES = 32L << 20;

    /** A smaller file system has no room to grow: a container's has 64 MiB unless it is configured otherwise. */
    private static final long SMALL_BYTES = 1L << 30;

    private static final long LARGEST_BYTES = 1L << 40;
    private static final String NAME = "larder-map-";

    /** A process that makes a file has locked it within this time. */
    private static final Duration MADE_WITHIN = Duration.ofMinutes(10);

    private final Path directory;
    private final LogOptions options;

    /** The storage of this class's own files: the machine's, whatever replaces the storage of the map. */
    private final Storage storage;

    private final Optional<Path> chosen;

    public IndexLocation(Path directory, LogOptions options, Optional<Path> chosen) {
        this.directory = directory;
        this.options = options;
        this.storage =
                HookedOptions.of(options).storage().isNative() ? SystemStorage.system() : SystemStorage.portable();
        this.chosen = chosen;
    }

    /** Makes the file of the first opening, and removes the file that an earlier one has left. The caller holds the gate. */
    public IndexFile make(IndexFile.Opening opening, long imageBytes) {
        removeOld();
        return inSomeFolder(imageBytes, folder -> {
            removeAbandoned(folder);
            return makeKnown(opening, folder);
        });
    }

    /**
     * Removes the files of maps whose processes were all killed, and which no process has opened since. No process has such a
     * file locked. Works only where locks belong to the file object: elsewhere this process would lose its own.
     */
    private void removeAbandoned(Path folder) {
        if (storage.isNative() && !folder.equals(directory)) {
            storage.list(folder).stream()
                    .filter(name -> name.startsWith(NAME))
                    .map(folder::resolve)
                    .filter(IndexLocation::isOld)
                    .forEach(this::removeIfNobodys);
        }
    }

    private static boolean isOld(Path file) {
        try {
            Instant made = Files.getLastModifiedTime(file).toInstant();
            return made.isBefore(Instant.now().minus(MADE_WITHIN));
        } catch (IOException e) {
            return false; // its last process has just removed it
        }
    }

    private void removeIfNobodys(Path file) {
        try {
            IndexFile.removeOld(file, storage);
        } catch (StorageException e) { // another user's
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "cannot check whether an index file is abandoned, and leaves it: " + e.getMessage());
        }
    }

    /**
     * Makes a file for a copy of the index that no other process finds: its name is removed at once where the system allows
     * that.
     */
    public IndexFile makeUnnamed(IndexFile.Opening opening, long bytes) {
        return inSomeFolder(bytes, folder -> {
            IndexFile made = create(opening, folder);
            try {
                made.delete();
            } catch (StorageException e) { // Windows: then it is removed when it is closed
                LOGGER.log(System.Logger.Level.DEBUG, made.path() + ": cannot unlink the file while it is open", e);
            }
            return made;
        });
    }

    private IndexFile inSomeFolder(long bytes, Function<Path, IndexFile> maker) {
        List<Path> folders = chosen.map(List::of).orElseGet(() -> List.of(MEMORY, directory));
        IndexFullException full = null;
        for (Path folder : folders) {
            boolean last = folder.equals(folders.getLast());
            if (last || hasRoom(folder, bytes)) {
                try {
                    return maker.apply(folder);
                } catch (IndexFullException e) {
                    full = e;
                }
            }
        }
        throw full == null ? new IndexFullException(folders + ": no room for the map's index") : full;
    }

    private IndexFile makeKnown(IndexFile.Opening opening, Path folder) {
        IndexFile made = create(opening, folder);
        try {
            new IndexPointer(opening.number(), made.path()).write(directory, options);
            return made;
        } catch (RuntimeException | Error e) {
            made.close();
            made.delete();
            throw e;
        }
    }

    private IndexFile create(IndexFile.Opening opening, Path folder) {
        String name = Long.toHexString(opening.number());
        Path path = folder.resolve(folder.equals(directory) ? "map-" + name + ".index" : NAME + name);
        return IndexFile.create(
                path, lengthBytes(folder), opening, options.access().files(), storage);
    }

    private boolean hasRoom(Path folder, long imageBytes) {
        return isWritableOf(folder, SMALL_BYTES) && storage.usableBytes(folder) >= 2 * imageBytes + ROOM_BYTES;
    }

    /** Returns a folder in memory for files that are not kept; if there is none, the folder for temporary files. */
    public static Path memoryFolder() {
        return memoryFolder(MEMORY, SMALL_BYTES);
    }

    /** Returns a folder, or the one for temporary files where that folder is missing, not writable or small. */
    static Path memoryFolder(Path memory, long leastBytes) {
        return isWritableOf(memory, leastBytes) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static boolean isWritableOf(Path folder, long leastBytes) {
        return Files.isDirectory(folder) && Files.isWritable(folder) && totalBytes(folder) >= leastBytes;
    }

    /** Returns a length as large as the file system: a part that is not backed takes no space. */
    private static long lengthBytes(Path folder) {
        long length = IndexFileLayout.STEPS_AT + Math.max(ROOM_BYTES, Math.min(totalBytes(folder), LARGEST_BYTES));
        return length & -IndexFileLayout.UNIT_BYTES;
    }

    private static long totalBytes(Path folder) {
        try {
            return Files.getFileStore(folder).getTotalSpace();
        } catch (IOException e) {
            return LARGEST_BYTES;
        }
    }

    /** Returns a new random number, which no other opening has. */
    public static long newOpening() {
        return new SecureRandom().nextLong();
    }

    private Optional<IndexPointer> pointer() {
        return IndexPointer.read(directory, HookedOptions.of(options).storage());
    }

    private void removeOld() {
        try {
            pointer().ifPresent(old -> IndexFile.removeOld(old.path(), storage));
        } catch (LarderException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "cannot remove the index file of an earlier opening: " + e.getMessage());
        }
        HookedOptions.of(options).storage().delete(directory.resolve(IndexPointer.FILE_NAME));
        removeFromDirectory();
    }

    private void removeFromDirectory() {
        Storage own = HookedOptions.of(options).storage();
        own.list(directory).stream()
                .filter(name -> name.startsWith("map-") && name.endsWith(".index"))
                .forEach(name -> own.delete(directory.resolve(name)));
    }

    /**
     * Attaches to the file of the processes that have the map open. Empty if it is missing, or not ready: those processes may
     * be about to die.
     */
    public Optional<IndexFile> attach() {
        Optional<IndexPointer> there = pointer();
        return there.flatMap(pointer -> IndexFile.attach(pointer.path(), pointer.opening(), storage));
    }

    /** Describes where the file is that cannot be attached to. */
    public String describe() {
        return pointer()
                .map(pointer -> pointer.path().toString())
                .orElse(directory + " without a " + IndexPointer.FILE_NAME);
    }

    /** Removes the file and the pointer to it. The caller is the last process, has closed the file, and holds the gate. */
    public void remove(IndexFile file) {
        try {
            HookedOptions.of(options).storage().delete(directory.resolve(IndexPointer.FILE_NAME));
            file.delete();
        } catch (StorageException e) {
            LOGGER.log(System.Logger.Level.WARNING, "cannot remove the index file of this opening: " + e.getMessage());
        }
    }
}
