package dev.larder.tests.power;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A storage whose files are in memory, so that files of dropped segments are used again. It fills each of these, on the disk
 * too, with committed records of 8 bytes before the log keeps it. The zeros that then go over them may be lost with the power;
 * the poison stays.
 */
final class Poisoned extends DelegatingStorage {

    static final ValueLayout.OfLong LAYOUT = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The word of a record, and also its payload. */
    static final long WORD = 0x1234_5678_8000_0008L;

    private static final int CHUNK_BYTES = 1 << 20;

    /** The log zeroes a file in pieces of at least this size; all its other writes are smaller. */
    private static final int ZEROS_LEAST_BYTES = 64 << 10;

    private final boolean zeroed;
    private final Set<Path> dropped = ConcurrentHashMap.newKeySet();
    private final Set<Path> poisoned = ConcurrentHashMap.newKeySet();

    /**
     * Makes a storage over another one.
     *
     * @param zeroed false: the zeros over the poison are not written
     */
    Poisoned(Storage storage, boolean zeroed) {
        super(storage);
        this.zeroed = zeroed;
    }

    @Override
    public boolean isResident(MemorySegment mapped, long offset, long bytes) {
        return true;
    }

    @Override
    public boolean rename(Path source, Path target) {
        boolean renamed = super.rename(source, target);
        if (renamed && target.toString().endsWith(".tmp")) {
            dropped.add(target);
        }
        return renamed;
    }

    /** Poisons a dropped file when the log first opens it, to see whether it is kept: no reader may touch it by then. */
    @Override
    public Optional<StorageFile> open(Path path, boolean writable) {
        Optional<StorageFile> file = super.open(path, writable);
        if (file.isPresent() && dropped.remove(path)) {
            poison(file.get());
            poisoned.add(path);
            return file;
        }
        return zeroed || !poisoned.contains(path) ? file : file.map(Poisoned::unzeroed);
    }

    private static void poison(StorageFile file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment words = arena.allocate(CHUNK_BYTES, Long.BYTES);
            for (long at = 0; at < CHUNK_BYTES; at += Long.BYTES) {
                words.set(LAYOUT, at, WORD);
            }
            for (long at = 0; at < file.sizeBytes(); at += CHUNK_BYTES) {
                file.write(words, at);
            }
            file.forceAll();
        }
    }

    private static StorageFile unzeroed(StorageFile file) {
        return new DelegatingFile(file) {
            @Override
            public void write(MemorySegment source, long offset) {
                if (source.byteSize() < ZEROS_LEAST_BYTES) {
                    super.write(source, offset);
                }
            }
        };
    }
}
