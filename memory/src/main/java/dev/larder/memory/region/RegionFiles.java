package dev.larder.memory.region;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.UnsupportedFileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The files of regions. A file that is found by its name is complete and has its space.
 *
 * <p>A system may allocate the space bit by bit, so other processes could see the file grow. So the file gets its space under a
 * private name, locked, and then its own name in one step, which replaces no other file.
 *
 * <pre>
 * larder-region-5a1e.tmp  |0000000....|     locked by its maker; a process that finds it unlocked removes it
 *         linked --------------> name  |000000000000000|
 * </pre>
 */
final class RegionFiles {

    /** The alignment of a part's offset: the smallest page of any system, as storages require it. */
    static final long MAP_ALIGNMENT = 4096;

    private static final String PRIVATE_PREFIX = "larder-region-";
    private static final String PRIVATE_SUFFIX = ".tmp";

    /** The byte that is locked while a file is being made, far beyond the end of the largest file. */
    private static final long LOCK = 1L << 50;

    /**
     * The files that this process is making. Without native calls locks belong to the process, and do not exclude its threads.
     */
    private static final Set<Path> MAKING = ConcurrentHashMap.newKeySet();

    /** The directories in which this process has looked for files of killed processes. */
    private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();

    private RegionFiles() {}

    /** Creates a file with its space, or leaves nothing behind. */
    static StorageFile create(Storage storage, Path path, long bytes) {
        Allocation allocation = storage.fileSystem(directory(path)).allocation();
        return create(storage, path, bytes, allocation, made -> storage.create(made, Access.OWNER));
    }

    /**
     * Creates a file with its space, or leaves nothing behind.
     *
     * @param making creates an empty file, for its owner alone; empty if the name exists
     */
    static StorageFile create(
            Storage storage,
            Path path,
            long bytes,
            Allocation allocation,
            Function<Path, Optional<StorageFile>> making) {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw taken(path); // and nothing is allocated for it
        }
        if (SWEPT.add(directory(path))) {
            removeAbandoned(storage, directory(path));
        }
        Optional<StorageFile> created = Optional.empty();
        while (created.isEmpty()) {
            String name = PRIVATE_PREFIX
                    + Long.toHexString(RandomGenerator.getDefault().nextLong())
                    + PRIVATE_SUFFIX;
            Path made = path.resolveSibling(name);
            MAKING.add(made.toAbsolutePath());
            try {
                created = making.apply(made).flatMap(file -> lock(file, made));
                created.ifPresent(file -> complete(storage, file, made, path, bytes, allocation));
            } finally {
                discard(storage, made);
                MAKING.remove(made.toAbsolutePath());
            }
        }
        return created.get();
    }

    /** Locks a new file. Closes it and returns empty if another process has already removed it as abandoned. */
    private static Optional<StorageFile> lock(StorageFile file, Path made) {
        if (file.tryLock(LOCK) && Files.exists(made, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(file);
        }
        file.close();
        return Optional.empty();
    }

    /** Gives a file its space and its name. Closes it if that fails. */
    private static void complete(
            Storage storage, StorageFile file, Path made, Path path, long bytes, Allocation allocation) {
        try {
            file.allocate(bytes, allocation);
            if (!link(storage, made, path)) {
                throw taken(path);
            }
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Gives a file its name. Without hard links, an empty file takes the name first; a process cannot attach to that one. */
    private static boolean link(Storage storage, Path made, Path path) {
        try {
            return storage.link(made, path);
        } catch (UnsupportedFileSystemException e) {
            Optional<StorageFile> empty = storage.create(path, Access.OWNER);
            empty.ifPresent(StorageFile::close);
            return empty.isPresent() && orRemoved(storage, path, () -> storage.rename(made, path));
        }
    }

    private static void removeAbandoned(Storage storage, Path directory) {
        for (String name : storage.list(directory)) {
            Path path = directory.resolve(name);
            if (name.startsWith(PRIVATE_PREFIX) && name.endsWith(PRIVATE_SUFFIX) && !MAKING.contains(path)) {
                removeIfAbandoned(storage, path);
            }
        }
    }

    private static void removeIfAbandoned(Storage storage, Path path) {
        try {
            storage.open(path, true).ifPresent(file -> {
                boolean isAbandoned = file.tryLock(LOCK);
                if (isAbandoned) {
                    // still locked: a maker that had not locked it yet finds no name then, and makes another
                    discard(storage, path);
                }
                file.close();
                if (isAbandoned) {
                    discard(storage, path); // where a system removes no open file
                }
            });
        } catch (StorageException e) {
            // the file is another user's
        }
    }

    private static void discard(Storage storage, Path path) {
        try {
            storage.delete(path);
        } catch (StorageException e) {
            // another process has it open to check it; the next process to check removes it
        }
    }

    private static Path directory(Path path) {
        return Objects.requireNonNull(path.toAbsolutePath().getParent());
    }

    /** Runs the next step with a new file, and removes the file if that fails. */
    static <T> T orRemoved(Storage storage, Path path, Supplier<T> step) {
        try {
            return step.get();
        } catch (RuntimeException e) {
            storage.delete(path);
            throw e;
        }
    }

    /** Throws if a file has no bytes, as before its maker has given it its size. */
    static StorageFile requireBytes(StorageFile file) {
        if (file.sizeBytes() == 0) {
            throw new StorageException(
                    file.path() + ": cannot attach: the file is empty; its creator may not have sized it yet");
        }
        return file;
    }

    static StorageException taken(Object name) {
        return new StorageException(name + ": cannot create: it exists");
    }

    static StorageException missing(Object name) {
        return new StorageException(name + ": cannot attach: it does not exist");
    }
}
