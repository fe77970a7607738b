package dev.larder.memory.region;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;

/** The files that regions lie on: made whole, with their space, or not at all. */
final class RegionFiles {

    /** Where a part may begin: the smallest page of any system, as storages take it. */
    static final long MAP_ALIGNMENT = 4096;

    private RegionFiles() {}

    /** Creates a file with its space; leaves nothing where that fails. */
    static StorageFile create(Storage storage, Path path, long bytes) {
        StorageFile file = storage.create(path, Access.OWNER).orElseThrow(() -> taken(path));
        Path directory = Objects.requireNonNull(path.toAbsolutePath().getParent());
        return allocate(storage, file, bytes, storage.fileSystem(directory).allocation());
    }

    /** Gives a new file its space; closes and removes it where that fails. */
    static StorageFile allocate(Storage storage, StorageFile file, long bytes, Allocation allocation) {
        try {
            file.allocate(bytes, allocation);
            return file;
        } catch (RuntimeException e) {
            file.close();
            storage.delete(file.path());
            throw e;
        }
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
