package dev.larder.log;

import dev.larder.memory.Access;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a log, in {@code log.cnt}: what all its processes have done since it was created.
 *
 * <pre>
 * 0        64        4096
 * | header | counters: 8 B each, in the order of {@link Counter} |
 * </pre>
 *
 * Processes add to them; appends and bytes arrive ten times a second, so a killed process takes up to 100 ms of its
 * own counts with it. Anybody may read them, from any process, at any time.
 */
public final class LogCounters {

    /** What is counted. New counters are appended; the order is the format. */
    public enum Counter {
        /** Records appended. */
        APPENDS(0),
        /** Payload bytes appended. */
        APPENDED_BYTES(1),
        /** Flushes. */
        SYNCS(2),
        /** Nanoseconds spent in flushes. */
        SYNC_NANOS(3),
        /** Times that an appender entered the next segment. */
        ROLLS(4),
        /** Segments linked before they were needed. */
        PREPARED(5),
        /** Bytes brought in ahead of the tail. */
        POPULATED_BYTES(6),
        /** Bytes whose write-back was started behind the tail. */
        WRITTEN_BACK_BYTES(7),
        /** Claims of dead writers that became padding. */
        RECOVERED_CLAIMS(8),
        /** Times that a reader slept. */
        WAITS(9),
        /** Times that a reader or a sync stood before a claim of a live writer for 1 ms or more. */
        STALLS(10),
        /** Openings that found a crash or a power loss. */
        RECOVERIES(11),
        /** Blocks whose seal was verified when they were read from the disk. */
        VERIFIED_BLOCKS(12),
        /** Segments dropped by retention. */
        DROPPED(13),
        /** Segments whose files were others' before. */
        RECYCLED(14);

        /** Which of the counters in the file it is. */
        final int place;

        Counter(int place) {
            this.place = place;
        }
    }

    static final String FILE_NAME = "log.cnt";
    static final String FORMAT = "LOGCNT";
    static final int VERSION = 1;
    private static final int HEADER_BYTES = 64;
    private static final long SIZE_BYTES = 4096;

    private final @Nullable MemorySegment memory;
    private volatile boolean stopped;

    private LogCounters(@Nullable MemorySegment memory) {
        this.memory = memory;
    }

    /** Counters that count nothing: of a log that is opened read-only. */
    public static LogCounters none() {
        return new LogCounters(null);
    }

    /** Opens the counters, making the file where it is missing or damaged: they are no data. Under GATE. */
    public static LogCounters open(Path directory, Storage storage, Access access, Arena arena) {
        Path path = directory.resolve(FILE_NAME);
        try {
            return new LogCounters(map(path, storage, true, arena));
        } catch (LarderException e) {
            storage.delete(path);
            create(path, storage, access);
            return new LogCounters(map(path, storage, true, arena));
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
        try (StorageFile file =
                storage.open(path, writable).orElseThrow(() -> new LarderException(path + ": no counters"))) {
            if (file.sizeBytes() < SIZE_BYTES) {
                throw new LarderException(path + ": counters of " + file.sizeBytes() + " bytes");
            }
            MemorySegment memory = file.map(0, SIZE_BYTES, writable, arena);
            FileHeader.read(memory, path, FORMAT, VERSION, Features.NONE, writable);
            return memory;
        }
    }

    /** Returns the counters of a log, read from any process. */
    public static Map<Counter, Long> read(Path directory) {
        try (Arena arena = Arena.ofShared()) {
            return new LogCounters(map(directory.resolve(FILE_NAME), SystemStorage.system(), false, arena)).values();
        }
    }

    public Map<Counter, Long> values() {
        Map<Counter, Long> values = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            values.put(counter, memory == null ? 0 : Words.getAcquire(memory, offset(counter)));
        }
        return values;
    }

    /** Makes sure that the counters can be stored to, where space is not reserved. */
    public void back(Storage storage) {
        if (memory != null) {
            storage.populateForWrite(memory);
        }
    }

    /** Counts nothing any more: the file may lie on a device that has failed. */
    public void stop() {
        stopped = true;
    }

    public void add(Counter counter, long amount) {
        if (memory != null && amount != 0 && !stopped) {
            Words.getAndAdd(memory, offset(counter), amount);
        }
    }

    private static long offset(Counter counter) {
        return HEADER_BYTES + 8L * counter.place;
    }
}
