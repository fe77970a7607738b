package dev.larder.log.shared;

import dev.larder.log.LogCounter;
import dev.larder.memory.Access;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a log, in {@code log.cnt}: they count what all its processes have done since it was created.
 *
 * <pre>
 * 0        64        4096
 * | header | counters: 8 B each, in the order of {@link LogCounter} |
 * </pre>
 *
 * Processes add to them. Appends and bytes are added ten times a second, so a killed process takes up to 100 ms of its own
 * counts with it. Any process may read them at any time.
 */
public final class CountersFile {

    static final String FILE_NAME = "log.cnt";
    static final String FORMAT = "LOGCNT";
    static final int VERSION = 1;
    private static final int HEADER_BYTES = 64;
    private static final long SIZE_BYTES = 4096;

    private final @Nullable MemorySegment memory;
    private final @Nullable Storage storage;
    private volatile boolean stopped;

    private CountersFile(@Nullable MemorySegment memory, @Nullable Storage storage) {
        this.memory = memory;
        this.storage = storage;
    }

    /** Returns counters that count nothing: for a log that is opened read-only. */
    public static CountersFile none() {
        return new CountersFile(null, null);
    }

    /** Opens the counters, and makes the file if it is missing or damaged: they are no data. Under GATE. */
    public static CountersFile open(Path directory, Storage storage, Access access, Arena arena) {
        Path path = directory.resolve(FILE_NAME);
        try {
            return new CountersFile(map(path, storage, true, arena), storage.isNative() ? storage : null);
        } catch (SystemLimitException e) {
            throw e; // the error says nothing about the file
        } catch (LarderException e) {
            storage.delete(path);
            create(path, storage, access);
            return new CountersFile(map(path, storage, true, arena), storage.isNative() ? storage : null);
        }
    }

    private static void create(Path path, Storage storage, Access access) {
        try (StorageFile file = storage.create(path, access).orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.allocate(SIZE_BYTES, dev.larder.memory.Allocation.RESERVE);
            FileHeader.write(file.map(0, SIZE_BYTES, true, arena), FORMAT, VERSION, HEADER_BYTES, Features.NONE);
        }
    }

    private static MemorySegment map(Path path, Storage storage, boolean writable, Arena arena) {
        try (StorageFile file = storage.open(path, writable)
                .orElseThrow(() -> new LarderException(path + ": there is no counters file"))) {
            if (file.sizeBytes() < SIZE_BYTES) {
                throw new LarderException(
                        path + ": counters file of " + file.sizeBytes() + " bytes, needs " + SIZE_BYTES);
            }
            MemorySegment memory = file.map(0, SIZE_BYTES, writable, arena);
            FileHeader.read(memory, path, FORMAT, VERSION, Features.NONE, writable);
            return memory;
        }
    }

    /** Returns the counters of a log, read from any process. */
    public static Map<LogCounter, Long> read(Path directory) {
        try (Arena arena = Arena.ofShared()) {
            return new CountersFile(map(directory.resolve(FILE_NAME), SystemStorage.system(), false, arena), null)
                    .values();
        }
    }

    public Map<LogCounter, Long> values() {
        Map<LogCounter, Long> values = new EnumMap<>(LogCounter.class);
        for (LogCounter counter : LogCounter.values()) {
            values.put(counter, value(counter));
        }
        return values;
    }

    public long value(LogCounter counter) {
        return memory == null ? 0 : Words.getAcquire(memory, offset(counter));
    }

    /** Ensures that the counters can be stored to, where space is not reserved. */
    public void back(Storage storage) {
        if (memory != null) {
            storage.populateForWrite(memory);
        }
    }

    /** Stops counting: the file may lie on a device that has failed. */
    public void stop() {
        stopped = true;
    }

    public void add(LogCounter counter, long amount) {
        if (memory != null && amount != 0 && !stopped && canStore(memory)) {
            Words.getAndAdd(memory, offset(counter), amount);
        }
    }

    /** Adds to two counters. */
    public void add(LogCounter one, long amountOfOne, LogCounter other, long amountOfOther) {
        if (memory != null && !stopped && canStore(memory)) {
            Words.getAndAdd(memory, offset(one), amountOfOne);
            Words.getAndAdd(memory, offset(other), amountOfOther);
        }
    }

    /**
     * Asks for the page first; returns whether it can be stored to. Code that the JVM has not compiled yet ends the process
     * at an addition that cannot be served. An amount that cannot be stored is not counted.
     */
    private boolean canStore(MemorySegment counters) {
        if (storage == null) {
            return true;
        }
        try {
            storage.populateForWrite(counters);
            return true;
        } catch (StorageException e) {
            return false;
        }
    }

    @SuppressWarnings("EnumOrdinal") // the order is the format
    private static long offset(LogCounter counter) {
        return HEADER_BYTES + 8L * counter.ordinal();
    }
}
