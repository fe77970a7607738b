package dev.larder.map;

import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/** A storage that may forget bytes it reported as durable. This base class is honest. */
class LyingStorage extends DelegatingStorage {

    LyingStorage(Storage storage) {
        super(storage);
    }

    /** Called for each step that the map reaches. */
    void reached(String step) {}

    /** Makes pages of a file durable, or does not. */
    void force(StorageFile file, MemorySegment mapped) {
        file.force(mapped);
    }

    /** Makes a whole file durable, or does not. */
    void forceAll(StorageFile file) {
        file.forceAll();
    }

    /** Returns whether a file is a segment, or about to become one. */
    static boolean isSegment(StorageFile file) {
        String name = String.valueOf(file.path().getFileName());
        return name.endsWith(".seg") || name.startsWith("p-");
    }

    @Override
    public Optional<StorageFile> create(Path file, Access access) {
        return super.create(file, access).map(Forced::new);
    }

    @Override
    public Optional<StorageFile> open(Path file, boolean writable) {
        return super.open(file, writable).map(Forced::new);
    }

    private final class Forced extends DelegatingFile {

        private final StorageFile file;

        Forced(StorageFile file) {
            super(file);
            this.file = file;
        }

        @Override
        public void force(MemorySegment mapped) {
            LyingStorage.this.force(file, mapped);
        }

        @Override
        public void forceAll() {
            LyingStorage.this.forceAll(file);
        }
    }
}
