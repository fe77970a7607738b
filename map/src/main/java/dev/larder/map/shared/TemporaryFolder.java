package dev.larder.map.shared;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The directory of a map that is not kept: it belongs to its maker alone, and is removed with the map.
 *
 * <pre>
 * folder/larder-temporary-&lt;process&gt;-&lt;its start&gt;-&lt;number&gt;/owner.lck     locked as long as the maker lives
 *                                                         and the files of a map
 * </pre>
 *
 * <p>A process that is killed leaves its directory. The next one in the same folder finds the lock free, and removes it. A
 * process that comes between the making of the file and its locking may do so, too. So a directory is used only if its file
 * is locked, and still there.
 */
public final class TemporaryFolder implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final String NAME = "larder-temporary-";
    private static final String OWN = own(ProcessHandle.current());
    private static final String OWNER = "owner.lck";
    private static final int TRIES = 16;

    private final Path directory;
    private final Storage storage;
    private final StorageFile owner;

    private TemporaryFolder(Path directory, Storage storage, StorageFile owner) {
        this.directory = directory;
        this.storage = storage;
        this.owner = owner;
    }

    /** By its number alone a process may be taken for an earlier one: in a container each is the first. */
    private static String own(ProcessHandle process) {
        long startMillis =
                process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return NAME + process.pid() + "-" + Long.toHexString(startMillis) + "-";
    }

    /** Makes a directory in a folder, and removes those that dead processes have left there. */
    public static TemporaryFolder make(Path given, LogOptions options) {
        Path folder = given.toAbsolutePath().normalize();
        Storage storage = HookedOptions.of(options).storage();
        removeLeft(folder, storage);
        for (int tries = 0; tries < TRIES; tries++) {
            Path directory = folder.resolve(OWN + Long.toHexString(new SecureRandom().nextLong()));
            Optional<TemporaryFolder> made = make(directory, storage, options);
            if (made.isPresent()) {
                return made.get();
            }
        }
        throw new LarderException(folder + ": another process removed the new directory of a map " + TRIES
                + " times before the map had opened it");
    }

    private static Optional<TemporaryFolder> make(Path directory, Storage storage, LogOptions options) {
        storage.createDirectories(directory, options.access().files());
        Optional<StorageFile> file = create(directory.resolve(OWNER), storage, options);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        StorageFile owner = file.get();
        if (owner.tryLock(0) && Files.exists(owner.path())) {
            return Optional.of(new TemporaryFolder(directory, storage, owner));
        }
        owner.close();
        return Optional.empty();
    }

    private static Optional<StorageFile> create(Path path, Storage storage, LogOptions options) {
        try {
            return storage.create(path, options.access().files());
        } catch (StorageException e) {
            if (Files.isDirectory(path.resolveSibling(""))) {
                throw e;
            }
            return Optional.empty(); // another process has just removed the empty directory
        }
    }

    public Path directory() {
        return directory;
    }

    /** Removes the directory, with everything in it. */
    @Override
    public void close() {
        remove(directory, storage, owner);
    }

    /** Skips the directories of this process: where locks belong to the process, looking at one would free its lock. */
    private static void removeLeft(Path folder, Storage storage) {
        for (String name : storage.list(folder)) {
            if (name.startsWith(NAME) && !name.startsWith(OWN)) {
                removeIfLeft(folder.resolve(name), storage);
            }
        }
    }

    private static void removeIfLeft(Path directory, Storage storage) {
        try {
            Optional<StorageFile> owner = storage.open(directory.resolve(OWNER), true);
            if (owner.isEmpty()) {
                Files.deleteIfExists(directory); // which is empty, or another process is removing it
                return;
            }
            if (owner.get().tryLock(0)) {
                remove(directory, storage, owner.get());
            } else {
                owner.get().close();
            }
        } catch (StorageException | IOException e) { // another user's
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "cannot remove the directory that another process left: " + directory,
                    e);
        }
    }

    /**
     * Removes the owner's file last: while it is there, others leave the directory alone, or come back to it. Where an open
     * file keeps its name (Windows), no process takes it from another that has just opened it.
     */
    private static void remove(Path directory, Storage storage, StorageFile owner) {
        boolean early = storage.replacesOpenFiles();
        try (owner) {
            List<String> names = storage.list(directory);
            names.stream()
                    .filter(name -> early || !name.equals(OWNER))
                    .sorted(Comparator.comparing(OWNER::equals))
                    .forEach(name -> storage.delete(directory.resolve(name)));
        }
        try {
            storage.delete(directory.resolve(OWNER));
            Files.deleteIfExists(directory);
        } catch (StorageException | IOException e) { // another process is removing it, too
            LOGGER.log(System.Logger.Level.DEBUG, "cannot remove the directory of a temporary map: " + directory, e);
        }
    }
}
