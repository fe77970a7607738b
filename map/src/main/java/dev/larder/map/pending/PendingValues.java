package dev.larder.map.pending;

import dev.larder.log.LogMismatchException;
import dev.larder.log.Position;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.RecordTooLargeException;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.LogRecords;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.checkpoint.Replay;
import dev.larder.map.entry.PendingHome;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.PendingLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values that are written to the map's log before they are set for their keys. They serve a replicated log whose entries
 * leave their large values to the map.
 *
 * <pre>
 *  append                                put
 *  | pending: term, index, parts | ..... | key -> position, offset, length |
 *    readers of the map pass over it       the value of the key, from here on
 * </pre>
 *
 * <p>A reader of the map sees no difference between a value that was put and a value that a reference leads to. The cleaner
 * makes ordinary records of the live ones, once the pending record is no longer needed ({@link #raiseFloor}).
 *
 * <p>Thread-safe. The map must have been created by {@link #in}.
 */
public final class PendingValues {

    private static final MethodHandle HOME;

    static {
        try {
            HOME = MethodHandles.privateLookupIn(LarderMap.class, MethodHandles.lookup())
                    .findVirtual(LarderMap.class, "pending", MethodType.methodType(PendingHome.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PendingHome<?, ?> home;
    private final LogRecords records;
    private final ReentrantLock appending = new ReentrantLock();

    private PendingValues(PendingHome<?, ?> home) {
        this.home = home;
        this.records = home.parts().records();
    }

    /**
     * A key, and the value that it is to get, encoded as the map's codecs do.
     *
     * @param key at most 65,535 bytes
     */
    public record Part(MemorySegment key, MemorySegment value) {}

    /**
     * Returns options that create a map which may have pending values. Earlier releases refuse that map. It opens without
     * these options, too. A map that was created without them is refused with a {@link LogMismatchException}.
     */
    public static MapOptions in(MapOptions options) {
        return options.withLog(HookedOptions.with(options.log(), hooks -> hooks.withPending(true)));
    }

    /**
     * Returns the pending values of an open map.
     *
     * @throws LogMismatchException if the map was created without them
     * @throws ReadOnlyException if it was opened read-only
     */
    public static PendingValues of(LarderMap<?, ?> map) {
        try {
            return new PendingValues((PendingHome<?, ?>) HOME.invoke(map));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the greatest length of a pending record: 24 bytes, 8 for each part, and all keys and values. */
    public long maxBytes() {
        return Math.min(records.lengthMax(), Integer.MAX_VALUE);
    }

    /**
     * Appends a pending record. Once this returns, the record survives a crash of the process, and after {@link
     * LarderMap#sync} one of the machine. No reader of the map sees it. The cleaner keeps it until the floor is raised above
     * it. Appends run one at a time.
     *
     * @return its position; a later one is higher
     * @throws RecordTooLargeException if it is longer than {@link #maxBytes}; nothing was appended
     * @throws dev.larder.memory.DiskFullException if there is no room; nothing was appended
     */
    public long append(long term, long index, List<Part> parts) {
        long length = lengthOf(parts);
        appending.lock();
        try {
            return home.changes()
                    .appendPending(
                            length, (record, at) -> write(record, at, term, index, parts), home.floor()::appended);
        } finally {
            appending.unlock();
        }
    }

    private long lengthOf(List<Part> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException(records.directory() + ": a pending record needs at least one part");
        }
        long length = PendingLayout.HEADER_BYTES + (long) parts.size() * PendingLayout.PART_BYTES;
        for (Part part : parts) {
            if (part.key().byteSize() > EntryLayout.KEY_MAX_BYTES) {
                throw new IllegalArgumentException(records.directory() + ": key of "
                        + part.key().byteSize() + " bytes; the largest is " + EntryLayout.KEY_MAX_BYTES);
            }
            length = Math.addExact(
                    length, Math.addExact(part.key().byteSize(), part.value().byteSize()));
        }
        if (length > maxBytes()) {
            throw new RecordTooLargeException(
                    records.directory() + ": a pending record of " + length + " bytes; the largest is " + maxBytes());
        }
        return length;
    }

    private static void write(MemorySegment record, long at, long term, long index, List<Part> parts) {
        PendingLayout.write(record, at, parts.size(), term, index);
        long to = at + PendingLayout.keysAt(parts.size());
        for (int number = 0; number < parts.size(); number++) {
            MemorySegment key = parts.get(number).key();
            MemorySegment value = parts.get(number).value();
            PendingLayout.writePart(record, at, number, (int) key.byteSize(), (int) value.byteSize());
            MemorySegment.copy(key, 0, record, to, key.byteSize());
            MemorySegment.copy(value, 0, record, to + key.byteSize(), value.byteSize());
            to += key.byteSize() + value.byteSize();
        }
    }

    /**
     * Makes the value of a part the value of the part's key, as {@link LarderMap#set(Object, Object)} does, or {@link
     * LarderMap#set(Object, Object, Instant)}; with the same errors.
     *
     * @param position where the pending record is, at the floor or above
     * @throws IllegalArgumentException if it lies below the floor, or has no such part
     * @throws dev.larder.memory.CorruptException if there is no pending record
     */
    public void put(long position, int part, Optional<Instant> expiry) {
        requirePosition(position);
        home.changes().putReference(position, part, expiry, home.floor());
    }

    /**
     * Passes a pending record to a reader, and returns its result. The record stays in place meanwhile.
     *
     * @param position where it is, at the floor or above
     * @throws IllegalArgumentException if it lies below the floor
     * @throws dev.larder.memory.CorruptException if there is no pending record
     */
    public <T extends @Nullable Object> T read(long position, Function<? super PendingRecord, T> reader) {
        requirePosition(position);
        Answer<T> answer = new Answer<>();
        home.reads()
                .readPending(
                        position,
                        home.floor(),
                        (memory, at, length) -> answer.take(reader.apply(new PendingRecord(position, memory, at))));
        return answer.get();
    }

    private void requirePosition(long position) {
        if (position < 0 || (position & Long.BYTES - 1) != 0) {
            throw new IllegalArgumentException(
                    records.directory() + ": " + position + " is not a position of a record");
        }
    }

    /**
     * Passes on all pending records from a position on, in order, including those behind a restore point. Of two records with
     * the same term and index the later one counts.
     *
     * @param from a former floor; 0 for all records
     * @return the position behind the last record: the floor, if none of the records passed on is needed
     */
    public long scan(long from, Consumer<? super PendingRecord> handler) {
        long end = home.log().endPosition();
        long first = home.log().firstPosition();
        long start = Math.max(Position.of(Position.segment(from), 0), first);
        if (start < end) {
            Replay.readPending(home.log(), OptionalLong.of(start), end, (position, memory, at, length) -> {
                if (position >= from) {
                    handler.accept(new PendingRecord(position, memory, at));
                }
            });
        }
        return end;
    }

    /** Returns the position behind the last record of the log. */
    public long end() {
        return home.log().endPosition();
    }

    /**
     * Declares that neither this opening nor a later one will read or put a pending record below a position. The floor never
     * falls. It is 0 after the first process has opened the map, and the cleaner takes nothing until it is raised. A floor
     * above the last pending record does not limit the cleaner until the next append. No append that needs a lower floor may
     * be in progress.
     *
     * <p>A caller may note a floor for the next opening, with a restore point. The floor then lies at that point, or below.
     * Records behind the point may be lost in a power failure, and other records then come to the same positions.
     *
     * @throws IllegalArgumentException if it is behind the last record of the log
     */
    public void raiseFloor(long position) {
        long end = home.log().endPosition();
        if (position > end) {
            throw new IllegalArgumentException(
                    records.directory() + ": the floor cannot be raised to " + position + ": the log ends at " + end);
        }
        home.floor().raise(position);
        home.signal().run();
    }

    /** The result of a reader. */
    private static final class Answer<T extends @Nullable Object> {

        private @Nullable T result;

        void take(T made) {
            result = made;
        }

        @SuppressWarnings("NullAway") // the reader's result, null if its type allows that
        T get() {
            return result;
        }
    }
}
