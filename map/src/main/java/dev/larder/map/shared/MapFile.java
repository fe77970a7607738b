package dev.larder.map.shared;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.CodecMismatchException;
import dev.larder.map.MapInUseException;
import dev.larder.map.MapTypes;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * The control file of a map, {@code map.ctl}: written whole under a private name, flushed, linked, and never changed.
 * Processes lock bytes far behind its end; the kernel frees the locks of a process that has died.
 *
 * <pre>
 * 0        128               ...
 * | header | key codec name  | value codec name  |      UTF-8; the header's check covers the names
 *
 * 2^32      OPEN   the processes that have the map open: together, or one alone that does not share it
 * 2^32 + 1  GATE   the process that opens or closes it
 * 2^32 + 2  CLEAN  the process that cleans
 * 2^32 + 3  IMAGE  the process that writes a checkpoint
 * </pre>
 */
public final class MapFile implements AutoCloseable {

    public static final String FILE_NAME = "map.ctl";
    static final int UNIT_BYTES = 8;

    /** The layout of the format's own header. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(FileHeader.COMMON_BYTES).withName("common header"),
                    Words.LONG.withName("seed"),
                    Words.LONG.withName("unit"),
                    Words.LONG.withName("key codec bytes"),
                    Words.LONG.withName("value codec bytes"),
                    MemoryLayout.paddingLayout(32).withName("reserved"))
            .withName("map header");

    private static final String FORMAT = "MAPCTL";
    private static final int VERSION = 1;

    /** The map may have pending records, and references to them, which earlier releases do not know. */
    private static final long PENDING = 1;

    private static final Features KNOWN = new Features(0, 0, PENDING);
    private static final int FIXED_BYTES = (int) LAYOUT.byteSize();
    private static final long SEED = offset("seed");
    private static final long UNIT = offset("unit");
    private static final long KEY_CODEC_BYTES = offset("key codec bytes");
    private static final long VALUE_CODEC_BYTES = offset("value codec bytes");
    private static final long OPEN = 1L << 32;
    private static final long GATE = OPEN + 1;
    private static final long CLEAN = OPEN + 2;
    private static final long IMAGE = OPEN + 3;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final long IMAGE_NANOS = 60_000_000_000L;
    private static final String LOG_FILE = "log.ctl";

    private final StorageFile file;
    private final Parameters parameters;

    /**
     * The contents of the file.
     *
     * @param pending whether the map may have pending records
     */
    public record Parameters(long seed, MapTypes types, boolean pending) {}

    private MapFile(StorageFile file, Parameters parameters) {
        this.file = file;
        this.parameters = parameters;
    }

    /**
     * Opens the file of a map, and makes it if the directory contains neither a map nor a log.
     *
     * @throws ForeignFileException if there is a log without a map
     * @throws CodecMismatchException if the map has other types
     * @throws LogMismatchException if it is to have pending records, and was created without
     */
    public static MapFile open(Path directory, LogOptions options, MapTypes types) {
        Storage storage = HookedOptions.of(options).storage();
        Path path = directory.resolve(FILE_NAME);
        if (!storage.list(directory).contains(FILE_NAME)) {
            create(directory, path, options, types);
        }
        StorageFile file = storage.open(path, true)
                .orElseThrow(() -> new StorageException(path + ": the file vanished after it was linked"));
        try {
            Parameters parameters = read(file);
            requireSame(path, parameters.types(), types);
            requirePending(path, parameters, HookedOptions.of(options).pending());
            return new MapFile(file, parameters);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    /** Throws if a map stores other types than it is opened with. */
    public static void requireSame(Path path, MapTypes stored, MapTypes asked) {
        if (!stored.equals(asked)) {
            throw new CodecMismatchException(path + ": the map stores " + stored + "; it is opened with " + asked);
        }
    }

    private static void requirePending(Path path, Parameters stored, boolean wanted) {
        if (wanted && !stored.pending()) {
            throw new LogMismatchException(
                    path + ": the map was created without pending records, and cannot have them");
        }
    }

    private static void create(Path directory, Path path, LogOptions options, MapTypes types) {
        Storage storage = HookedOptions.of(options).storage();
        boolean hasLog = storage.list(directory).contains(LOG_FILE);
        if (hasLog && !storage.list(directory).contains(FILE_NAME)) { // else another process has just made both
            throw new ForeignFileException(directory + ": there is a log here without " + FILE_NAME
                    + ": it belongs to a queue, or the file was lost");
        }
        Path made = directory.resolve(
                "map-" + Long.toHexString(RandomGenerator.getDefault().nextLong()) + ".tmp");
        Optional<StorageFile> file = storage.create(made, options.access().files());
        try {
            Features features = HookedOptions.of(options).pending() ? KNOWN : Features.NONE;
            file.ifPresent(open -> fill(open, types, features));
            storage.link(made, path); // a second process finds the file of the first
        } finally {
            file.ifPresent(StorageFile::close);
            storage.delete(made);
        }
        storage.syncDirectory(directory);
    }

    private static void fill(StorageFile file, MapTypes types, Features features) {
        byte[] key = types.keyCodec().getBytes(StandardCharsets.UTF_8);
        byte[] value = types.valueCodec().getBytes(StandardCharsets.UTF_8);
        int length = FIXED_BYTES + key.length + value.length;
        try (Arena arena = Arena.ofShared()) {
            file.allocate(length, Allocation.ZEROS);
            MemorySegment header = arena.allocate(length, 8);
            Words.setPlain(header, SEED, new SecureRandom().nextLong());
            Words.setPlain(header, UNIT, UNIT_BYTES);
            Words.setPlain(header, KEY_CODEC_BYTES, key.length);
            Words.setPlain(header, VALUE_CODEC_BYTES, value.length);
            MemorySegment.copy(key, 0, header, ValueLayout.JAVA_BYTE, FIXED_BYTES, key.length);
            MemorySegment.copy(value, 0, header, ValueLayout.JAVA_BYTE, FIXED_BYTES + (long) key.length, value.length);
            FileHeader.write(header, FORMAT, VERSION, length, features);
            file.write(header, 0);
            file.forceAll();
        }
    }

    /**
     * Returns the parameters of the map in a directory, which may be open elsewhere.
     *
     * @throws ForeignFileException if there is no map
     */
    public static Parameters read(Path directory, Storage storage) {
        Path path = directory.resolve(FILE_NAME);
        try (StorageFile file = storage.open(path, false)
                .orElseThrow(() -> new ForeignFileException(directory + ": there is no " + FILE_NAME + " here"))) {
            return read(file);
        }
    }

    private static Parameters read(StorageFile file) {
        if (file.sizeBytes() < FIXED_BYTES) {
            throw new TruncatedException(
                    file.path() + ": map file of " + file.sizeBytes() + " bytes, needs " + FIXED_BYTES);
        }
        try (Arena arena = Arena.ofShared()) {
            long length = Math.min(file.sizeBytes(), FileHeader.LARGEST_BYTES);
            MemorySegment header = file.map(0, length, false, arena);
            Features found = FileHeader.read(header, file.path(), FORMAT, VERSION, KNOWN, true)
                    .features();
            long unit = Words.getPlain(header, UNIT);
            if (unit != UNIT_BYTES) {
                throw new CorruptException(
                        file.path() + ": header says units of " + unit + " bytes, expected " + UNIT_BYTES);
            }
            boolean pending = (found.incompatible() & PENDING) != 0;
            return new Parameters(Words.getPlain(header, SEED), types(header, file.path()), pending);
        }
    }

    private static MapTypes types(MemorySegment header, Path path) {
        long keyBytes = Words.getPlain(header, KEY_CODEC_BYTES);
        long valueBytes = Words.getPlain(header, VALUE_CODEC_BYTES);
        long room = header.byteSize() - FIXED_BYTES;
        if (keyBytes < 1 || valueBytes < 1 || keyBytes > room || valueBytes > room - keyBytes) {
            throw new CorruptException(path + ": header says names of codecs of " + keyBytes + " and " + valueBytes
                    + " bytes, but the file has " + room + " for them");
        }
        try {
            return new MapTypes(text(header, FIXED_BYTES, keyBytes), text(header, FIXED_BYTES + keyBytes, valueBytes));
        } catch (IllegalArgumentException e) {
            throw new CorruptException(path + ": " + e.getMessage(), e);
        }
    }

    private static String text(MemorySegment header, long from, long length) {
        return new String(header.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    private static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }

    public long seed() {
        return parameters.seed();
    }

    public MapTypes types() {
        return parameters.types();
    }

    /** Returns whether the map may have pending records. */
    public boolean hasPending() {
        return parameters.pending();
    }

    public Path path() {
        return file.path();
    }

    /**
     * Waits until no other process opens or closes the map.
     *
     * @throws InterruptedWaitException if the thread is interrupted meanwhile
     */
    public void enterGate() {
        while (!file.tryLock(GATE)) {
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new InterruptedWaitException("interrupted while another process opens or closes " + path());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    public void leaveGate() {
        file.unlock(GATE);
    }

    /**
     * Joins the processes that have the map open; returns whether there is no other. The caller holds the gate.
     *
     * @throws MapInUseException if a process has the map open that does not share it
     */
    public boolean join() {
        boolean alone = file.tryLock(OPEN);
        if (alone) {
            file.unlock(OPEN);
        }
        if (!file.tryLockShared(OPEN)) {
            throw new MapInUseException(path() + ": another process has the map open, and does not share it");
        }
        return alone;
    }

    /** Leaves the processes that have the map open; returns whether no other is left. The caller holds the gate. */
    public boolean leave() {
        file.unlock(OPEN);
        boolean last = file.tryLock(OPEN);
        if (last) {
            file.unlock(OPEN);
        }
        return last;
    }

    /** Tries to become the process that cleans. */
    public boolean tryClean() {
        return file.tryLock(CLEAN);
    }

    public void endClean() {
        file.unlock(CLEAN);
    }

    /**
     * Waits until no other process writes a checkpoint.
     *
     * @throws LogBusyException if one does for a minute
     */
    public void awaitImage() {
        long start = System.nanoTime();
        while (!file.tryLock(IMAGE)) {
            if (System.nanoTime() - start > IMAGE_NANOS) {
                throw new LogBusyException(
                        path() + ": another process has been writing a checkpoint for more than a minute");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Returns false if another process writes a checkpoint. */
    public boolean tryImage() {
        return file.tryLock(IMAGE);
    }

    public void endImage() {
        file.unlock(IMAGE);
    }

    /** Frees all locks. */
    @Override
    public void close() {
        file.close();
    }
}
