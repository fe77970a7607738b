package dev.larder.map;

import dev.larder.log.LogOptions;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What a map is, {@code map.ctl}: written whole under a private name, flushed, linked, and never changed. One byte far
 * behind its end is locked by who has the map open.
 */
final class MapFile implements AutoCloseable {

    static final String FILE_NAME = "map.ctl";
    static final int UNIT_BYTES = 8;

    /** The layout of the format's own header. */
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(FileHeader.COMMON_BYTES).withName("common header"),
                    Words.LONG.withName("seed"),
                    Words.LONG.withName("unit"),
                    MemoryLayout.paddingLayout(48).withName("reserved"))
            .withName("map header");

    private static final String FORMAT = "MAPCTL";
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = (int) LAYOUT.byteSize();
    private static final long SEED = offset("seed");
    private static final long UNIT = offset("unit");
    private static final long LOCK = 1L << 32;
    private static final String LOG_FILE = "log.ctl";

    private final StorageFile file;
    private final long seed;

    private MapFile(StorageFile file, long seed) {
        this.file = file;
        this.seed = seed;
    }

    /**
     * Opens the file of a map, making it where there is nothing, and locks it.
     *
     * @throws MapInUseException when another process has the map open
     * @throws ForeignFileException when there is a log without a map
     */
    static MapFile open(Path directory, LogOptions options) {
        Storage storage = options.doors().storage();
        Path path = directory.resolve(FILE_NAME);
        if (!storage.list(directory).contains(FILE_NAME)) {
            create(directory, path, options);
        }
        StorageFile file = storage.open(path, true)
                .orElseThrow(() -> new StorageException(path + ": the file vanished after it was linked"));
        try {
            if (!file.tryLock(LOCK)) {
                throw new MapInUseException(path + ": another process has the map open; one at a time can");
            }
            return new MapFile(file, readSeed(file));
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    private static void create(Path directory, Path path, LogOptions options) {
        Storage storage = options.doors().storage();
        if (storage.list(directory).contains(LOG_FILE)) {
            throw new ForeignFileException(directory + ": there is a log here and no " + FILE_NAME
                    + ": it is a queue's, or the file was lost");
        }
        Path made = directory.resolve(
                "map-" + Long.toHexString(RandomGenerator.getDefault().nextLong()) + ".tmp");
        Optional<StorageFile> file = storage.create(made, options.access().files());
        try {
            file.ifPresent(MapFile::fill);
            storage.link(made, path); // who is second finds the first one's
        } finally {
            file.ifPresent(StorageFile::close);
            storage.delete(made);
        }
        storage.syncDirectory(directory);
    }

    private static void fill(StorageFile file) {
        try (Arena arena = Arena.ofShared()) {
            file.allocate(HEADER_BYTES, Allocation.ZEROS);
            MemorySegment header = arena.allocate(HEADER_BYTES, 8);
            Words.setPlain(header, SEED, new SecureRandom().nextLong());
            Words.setPlain(header, UNIT, UNIT_BYTES);
            FileHeader.write(header, FORMAT, VERSION, HEADER_BYTES, Features.NONE);
            file.write(header, 0);
            file.forceAll();
        }
    }

    /**
     * Returns the seed of the map in a directory, which may be open elsewhere.
     *
     * @throws ForeignFileException when there is no map
     */
    static long seed(Path directory, Storage storage) {
        Path path = directory.resolve(FILE_NAME);
        try (StorageFile file = storage.open(path, false)
                .orElseThrow(() -> new ForeignFileException(directory + ": there is no " + FILE_NAME + " here"))) {
            return readSeed(file);
        }
    }

    private static long readSeed(StorageFile file) {
        if (file.sizeBytes() < HEADER_BYTES) {
            throw new TruncatedException(
                    file.path() + ": map file of " + file.sizeBytes() + " bytes, needs " + HEADER_BYTES);
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment header = file.map(0, HEADER_BYTES, false, arena);
            FileHeader.read(header, file.path(), FORMAT, VERSION, Features.NONE, true);
            long unit = Words.getPlain(header, UNIT);
            if (unit != UNIT_BYTES) {
                throw new CorruptException(
                        file.path() + ": header says units of " + unit + " bytes, expected " + UNIT_BYTES);
            }
            return Words.getPlain(header, SEED);
        }
    }

    private static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }

    long seed() {
        return seed;
    }

    /** Frees the lock. */
    @Override
    public void close() {
        file.close();
    }
}
