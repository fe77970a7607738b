package dev.larder.lab.search;

import dev.larder.cli.ByteSize;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the files of an index in memory against any competitor: maps each a second time, and locks the pages of that
 * mapping. Lucene's own mapping shows the same pages of the page cache.
 */
final class LockedFiles implements AutoCloseable {

    private final Path directory;
    private final Storage storage = SystemStorage.system();
    private final Map<String, Locked> locked = new HashMap<>();

    private record Locked(Arena arena, long bytes) {}

    LockedFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * Locks the named files, and unlocks all others.
     *
     * @return why they cannot be locked, with the sum; null if they are
     */
    @Nullable
    String lock(Collection<String> files) {
        locked.keySet().stream().filter(file -> !files.contains(file)).toList().forEach(this::unlock);
        for (String file : new HashSet<>(files)) {
            Optional<String> reason = locked.containsKey(file) ? Optional.empty() : lock(file);
            if (reason.isPresent()) {
                return "the index takes " + ByteSize.format(bytes(files)) + ", of which "
                        + ByteSize.format(lockedBytes()) + " could be locked: " + reason.get();
            }
        }
        return null;
    }

    long lockedBytes() {
        return locked.values().stream().mapToLong(Locked::bytes).sum();
    }

    /** A file that a merge has removed meanwhile needs no lock. */
    private Optional<String> lock(String name) {
        Optional<StorageFile> found = storage.open(directory.resolve(name), false);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (StorageFile file = found.get()) {
            if (file.sizeBytes() == 0) {
                return Optional.empty();
            }
            return lock(name, file);
        }
    }

    private Optional<String> lock(String name, StorageFile file) {
        Arena arena = Arena.ofShared();
        Optional<String> reason = Optional.of("it could not be mapped");
        try {
            MemorySegment mapped = file.map(0, file.sizeBytes(), false, arena);
            storage.populateForRead(mapped);
            reason = storage.lockPages(mapped);
            if (reason.isEmpty()) {
                locked.put(name, new Locked(arena, mapped.byteSize()));
            }
            return reason;
        } finally {
            if (reason.isPresent()) {
                arena.close();
            }
        }
    }

    private void unlock(String name) {
        Locked file = locked.remove(name);
        if (file != null) {
            file.arena().close();
        }
    }

    private long bytes(Collection<String> files) {
        long bytes = 0;
        for (String file : files) {
            try {
                bytes += Files.size(directory.resolve(file));
            } catch (IOException e) {
                // A merge has removed it.
            }
        }
        return bytes;
    }

    /** Unlocks all files. */
    @Override
    public void close() {
        locked.values().forEach(file -> file.arena().close());
        locked.clear();
    }
}
