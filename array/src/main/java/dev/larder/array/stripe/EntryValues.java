package dev.larder.array.stripe;

import dev.larder.array.entry.SplitEntry;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.map.pending.PendingRecord;
import dev.larder.map.pending.PendingValues;
import dev.larder.map.pending.PendingValues.Part;
import dev.larder.memory.CorruptException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The large values of a stripe's entries. They lie only in the map's log; the Raft log has the rest of each entry.
 *
 * <pre>
 * Raft log      | 7: SET a ... | 8: INCR | 9: SET b ... |
 * map's log     | 7: a = V |             | 9: b = W |           the table leads from 7 and 9 to these
 *               ^ the floor: the cleaner takes nothing from here on, until 7 has gone from the Raft log
 * </pre>
 *
 * After an opening, each entry of the Raft log is {@linkplain #claim claimed}; then the other values are {@linkplain #settle
 * forgotten}. Thread-safe.
 */
public final class EntryValues {

    /** The bytes of a record beside its entry: a head, and a few bytes for each value. */
    private static final int RECORD_BYTES = 32;

    private static final int PART_BYTES = 8;

    /**
     * The two parts of an entry.
     *
     * @param log what the Raft log holds
     * @param values its large values, concatenated
     */
    public record Parts(ByteBuffer log, ByteBuffer values) {}

    /** A record that an opening has found, and the bytes of its values. */
    private record Found(long position, long bytes) {}

    private final PendingValues pending;
    private final Runnable sync;
    private final ValueTable table = new ValueTable();

    /** Whether values were written since the last sync. */
    private volatile boolean unsynced;

    /** The records that an opening has found, until it is known which entries exist. */
    private final Map<Place, Found> found = new HashMap<>();

    /** The floor if no value is needed: after all values that were written. */
    private long end;

    private EntryValues(PendingValues pending, Runnable sync) {
        this.pending = pending;
        this.sync = sync;
    }

    /**
     * Reads which values a newly opened store has.
     *
     * @param floor where the values begin, as recorded when the store was kept
     * @param sync makes the written values durable
     */
    static EntryValues open(PendingValues pending, long floor, Runnable sync) {
        EntryValues values = new EntryValues(pending, sync);
        // The last record of a place counts, as the last write of an entry does.
        values.end = pending.scan(
                floor,
                record -> values.found.put(
                        new Place(record.term(), record.index()), new Found(record.position(), bytes(record))));
        return values;
    }

    /**
     * Registers an entry of the Raft log that has values elsewhere. Returns whether they are here. Called in the order of
     * entries.
     */
    public synchronized boolean claim(Place place) {
        Found own = found.remove(place);
        if (own == null) {
            return false;
        }
        table.put(place.index(), own.position(), own.bytes());
        return true;
    }

    /** Forgets the values that no entry has claimed: their entries were never in the Raft log, or have gone from it. */
    public synchronized void settle() {
        found.clear();
        raiseFloor();
    }

    /** Splits an entry; empty if it has no large value, or more values than a record takes. */
    public Optional<Parts> split(ByteBuffer whole) {
        return SplitEntry.split(whole)
                .filter(parts -> {
                    long parted = (long) PART_BYTES
                            * SplitEntry.of(parts.log()).cuts().size();
                    return whole.remaining() + parted + RECORD_BYTES <= pending.maxBytes();
                })
                .map(parts -> new Parts(parts.log(), parts.values()));
    }

    /** Writes the values of an entry, which then counts as the last one. The entry will be in the Raft log at this place. */
    public void write(Place place, ByteBuffer log, ByteBuffer values) {
        List<Part> parts = SplitEntry.of(log).keyed(values).stream()
                .map(one -> new Part(MemorySegment.ofBuffer(one.key()), MemorySegment.ofBuffer(one.value())))
                .toList();
        synchronized (this) {
            long position = pending.append(place.term(), place.index(), parts);
            table.put(place.index(), position, values.remaining());
            end = position + 1;
        }
        unsynced = true;
    }

    /**
     * Reads the values of an entry; empty if they are no longer here.
     *
     * @throws CorruptException if they belong to another entry
     */
    public Optional<ByteBuffer> read(Place place) {
        OptionalLong position = position(place.index());
        if (position.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(pending.read(position.getAsLong(), record -> copy(record, place)));
        } catch (IllegalArgumentException e) {
            if (position(place.index()).isEmpty()) {
                return Optional.empty(); // its entry has gone meanwhile
            }
            throw e;
        }
    }

    private synchronized OptionalLong position(long index) {
        long position = table.position(index);
        return position == ValueTable.NONE ? OptionalLong.empty() : OptionalLong.of(position);
    }

    private static ByteBuffer copy(PendingRecord record, Place place) {
        requirePlace(record, place);
        ByteBuffer values = ByteBuffer.allocate(Math.toIntExact(bytes(record)));
        for (int part = 0; part < record.count(); part++) {
            MemorySegment value = record.value(part);
            MemorySegment.copy(
                    value,
                    ValueLayout.JAVA_BYTE,
                    0,
                    values.array(),
                    values.position(),
                    Math.toIntExact(value.byteSize()));
            values.position(values.position() + (int) value.byteSize());
        }
        return values.flip();
    }

    private static long bytes(PendingRecord record) {
        long bytes = 0;
        for (int part = 0; part < record.count(); part++) {
            bytes += record.value(part).byteSize();
        }
        return bytes;
    }

    private static void requirePlace(PendingRecord record, Place place) {
        if (record.term() != place.term() || record.index() != place.index()) {
            throw new CorruptException("expected the values of entry " + place.index() + " of term " + place.term()
                    + ", found the values of entry " + record.index() + " of term " + record.term());
        }
    }

    /**
     * Returns the position of the values of an entry that is being applied.
     *
     * @throws CorruptException if there are none, or they belong to another entry
     */
    long require(Place place) {
        long position = position(place.index())
                .orElseThrow(() -> new CorruptException(
                        "entry " + place.index() + " must be applied, but its values are missing"));
        return pending.read(position, record -> {
            requirePlace(record, place);
            return position;
        });
    }

    /** Makes all written values durable. An entry without large values needs only the sync of the Raft log. */
    public void sync() {
        if (!unsynced) {
            return;
        }
        unsynced = false; // before the sync: values written meanwhile need the next one
        try {
            sync.run();
        } catch (RuntimeException | Error e) {
            unsynced = true;
            throw e;
        }
    }

    /** Forgets the values of all entries after a given one. */
    public synchronized void truncate(long last) {
        table.cut(last);
    }

    /** Records the entry up to which the files of the Raft log have gone. */
    public synchronized void purged(long last) {
        if (found.isEmpty()) {
            table.drop(last);
            raiseFloor();
        }
    }

    /** Returns the position from which on values are needed. */
    synchronized long floor() {
        long lowest = table.lowest();
        return lowest == ValueTable.NONE ? end : lowest;
    }

    private void raiseFloor() {
        pending.raiseFloor(floor());
    }

    /** Returns how many bytes the values of the entries from one index to another have, the second excluded. */
    public synchronized long bytes(long from, long to) {
        return table.bytes(from, to);
    }
}
