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
 * The files that regions lie on: found by their names whole, with their space, or not at all.
 *
 * <p>Where the system gives the space bit by bit, a file grows before all eyes. So it gets its space under a private name,
 * locked, and then its own name in one step, which replaces no other file.
 *
 * <pre>
 * larder-region-5a1e.tmp  |0000000....|     locked by its maker; whoever finds it unlocked removes it
 *         linked --------------> name  |000000000000000|
 * </pre>
 */
final class RegionFiles {

    /** Where a part may begin: the smallest page of any system, as storages take it. */
    static final long MAP_ALIGNMENT = 4096;

    private static final String PRIVATE_PREFIX = "larder-region-";
    private static final String PRIVATE_SUFFIX = ".tmp";

    /** The byte that is locked while a file is in the making, far behind the largest. */
    private static final long LOCK = 1L << 50;

    /** What this process is making: without native calls locks are the process's, and tell threads nothing. */
    private static final Set<Path> MAKING = ConcurrentHashMap.newKeySet();

    /** Where this process has looked for what killed ones have left. */
    private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();

    private RegionFiles() {}

    /** Creates a file with its space; leaves nothing where that fails. */
    static StorageFile create(Storage storage, Path path, long bytes) {
        Allocation allocation = storage.fileSystem(directory(path)).allocation();
        return create(storage, path, bytes, allocation, made -> storage.create(made, Access.OWNER));
    }

    /**
     * Creates a file with its space; leaves nothing where that fails.
     *
     * @param making creates an empty file, for its owner alone; empty where the name exists
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

    /** Locks a new file; empty, and closed, where another process took it for abandoned before. */
    private static Optional<StorageFile> lock(StorageFile file, Path made) {
        if (file.tryLock(LOCK) && Files.exists(made, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(file);
        }
        file.close();
        return Optional.empty();
    }

    /** Gives a file its space and its name; closes it where that fails. */
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

    /** Where there are no links, an empty file takes the name first: nobody attaches to that either. */
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
                file.close();
                if (isAbandoned) {
                    discard(storage, path); // a maker that had not locked it yet makes another
                }
            });
        } catch (StorageException e) {
            // another user's
        }
    }

    private static void discard(Storage storage, Path path) {
        try {
            storage.delete(path);
        } catch (StorageException e) {
            // held open by another, who looks at it: the next one to come removes it
        }
    }

    private static Path directory(Path path) {
        return Objects.requireNonNull(path.toAbsolutePath().getParent());
    }

    /** Does the next step with a new file; removes it where that fails. */
    static <T> T orRemoved(Storage storage, Path path, Supplier<T> step) {
        try {
            return step.get();
        } catch (RuntimeException e) {
            storage.delete(path);
            throw e;
        }
    }

    /** Fails where a file has no bytes, as for the moment in which its maker has not given it its size. */
    static StorageFile requireBytes(StorageFile file) {
        if (file.sizeBytes() == 0) {
            throw new StorageException(file.path() + ": cannot attach: it has no bytes (yet)");
        }
        return file;
    }

    static StorageException taken(Object name) {
        return new StorageException(name + ": cannot create: it exists");
    }

    static StorageException missing(Object name) {
        return new StorageException(name + ": cannot attach: there is none");
    }
}
