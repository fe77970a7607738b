package dev.larder.memory.region;

import dev.larder.memory.FileSync;
import dev.larder.memory.SystemStorage;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;

/** Regions that are whole files, in mode {@code rw}. */
final class FileMemory implements RegionSource {

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public Region create(String name, long bytes, Arena arena) {
        Path path = Path.of(name);
        MappedFile file = MappedFile.create(path, bytes, FileSync.NONE);
        return RegionFiles.orRemoved(SystemStorage.system(), path, () -> mapAndOwn(file, arena));
    }

    @Override
    public Region attach(String name, Arena arena) {
        return mapAndOwn(MappedFile.open(Path.of(name), FileSync.NONE), arena);
    }

    @Override
    public boolean delete(String name) {
        return SystemStorage.system().delete(Path.of(name));
    }

    private static Region mapAndOwn(MappedFile file, Arena arena) {
        try {
            return file.mapOwning(arena);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }
}
