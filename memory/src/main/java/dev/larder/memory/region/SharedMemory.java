package dev.larder.memory.region;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Regions that are files in {@code /dev/shm}: opened by their path, or by {@code shm_open}, which on Linux opens the same
 * files. Their space is allocated at creation, so a full {@code /dev/shm} causes an exception and not a failed store.
 */
final class SharedMemory implements RegionSource {

    private static final Path DIRECTORY = Path.of("/dev/shm");
    private static final int NAME_LENGTH_MAX = 250;

    private final boolean posix;

    SharedMemory(boolean posix) {
        this.posix = posix;
    }

    @Override
    public Optional<String> unavailable() {
        return Files.isWritable(DIRECTORY)
                ? Optional.empty()
                : Optional.of("this process cannot write the directory " + DIRECTORY);
    }

    @Override
    public Region create(String name, long bytes, Arena arena) {
        Path path = path(name);
        Function<Path, Optional<StorageFile>> making =
                calls() ? PosixShared::create : made -> SystemStorage.system().create(made, Access.OWNER);
        StorageFile whole = RegionFiles.create(SystemStorage.system(), path, bytes, Allocation.RESERVE, making);
        return RegionFiles.orRemoved(SystemStorage.system(), path, () -> map(name, whole, arena));
    }

    @Override
    public Region attach(String name, Arena arena) {
        Path path = path(name);
        Optional<StorageFile> file =
                calls() ? PosixShared.open(path) : SystemStorage.system().open(path, true);
        return map(name, file.orElseThrow(() -> RegionFiles.missing(path)), arena);
    }

    /** Maps a whole file and closes it. The mapping keeps the bytes. */
    private Region map(String name, StorageFile file, Arena arena) {
        try (file) {
            RegionKind kind = posix ? RegionKind.POSIX : RegionKind.SHARED_FILE;
            long bytes = RegionFiles.requireBytes(file).sizeBytes();
            return new Region(kind, name, file.map(0, bytes, true, arena), new Name(name));
        }
    }

    @Override
    public boolean delete(String name) {
        Path path = path(name);
        return calls() ? PosixShared.delete(path) : SystemStorage.system().delete(path);
    }

    private boolean calls() {
        return posix && SystemStorage.system().isNative() && PosixShared.isThere();
    }

    private static Path path(String name) {
        boolean dots = name.equals(".") || name.equals("..");
        if (name.isEmpty()
                || name.length() > NAME_LENGTH_MAX
                || dots
                || name.chars().anyMatch(SharedMemory::isForbidden)) {
            throw new IllegalArgumentException(
                    "a name in shared memory has 1 to 250 characters and no slash, not \"" + name + "\"");
        }
        return DIRECTORY.resolve(name);
    }

    private static boolean isForbidden(int character) {
        return character == '/' || character == 0;
    }

    /** The name of a region. */
    private final class Name implements RegionBacking {

        private final String name;

        Name(String name) {
            this.name = name;
        }

        @Override
        public boolean delete() {
            return SharedMemory.this.delete(name);
        }
    }
}
