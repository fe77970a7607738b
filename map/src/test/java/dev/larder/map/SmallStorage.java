package dev.larder.map;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A storage with a limit of bytes for the files in one directory: a small disk of its own. */
final class SmallStorage extends DelegatingStorage {

    private final Path directory;
    private volatile long capacityBytes;

    SmallStorage(Storage storage, Path directory, long capacityBytes) {
        super(storage);
        this.directory = directory;
        this.capacityBytes = capacityBytes;
    }

    /** Leaves a number of free bytes, as if another program had taken the rest. */
    void leave(long usableBytes) {
        capacityBytes = usedBytes() + usableBytes;
    }

    /** Returns the bytes of all files; a file with several names counts once. */
    private long usedBytes() {
        Map<Object, Long> sizes = new HashMap<>();
        for (Path file : files()) {
            try {
                BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
                sizes.put(Objects.requireNonNullElse(found.fileKey(), file), found.size());
            } catch (NoSuchFileException e) {
                // was just removed
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sizes.values().stream().mapToLong(size -> size).sum();
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long usableBytes(Path asked) {
        return Math.max(0, capacityBytes - usedBytes());
    }

    private StorageFile bounded(StorageFile file) {
        return new DelegatingFile(file) {
            @Override
            public void allocate(long bytes, Allocation allocation) {
                synchronized (SmallStorage.this) {
                    if (bytes - sizeBytes() > usableBytes(directory)) {
                        throw new DiskFullException(
                                path() + ": cannot reserve " + bytes + " bytes: No space left on device");
                    }
                    super.allocate(bytes, allocation);
                }
            }
        };
    }

    @Override
    public Optional<StorageFile> create(Path file, Access access) {
        return super.create(file, access).map(this::bounded);
    }

    @Override
    public Optional<StorageFile> open(Path file, boolean writable) {
        return super.open(file, writable).map(this::bounded);
    }
}
