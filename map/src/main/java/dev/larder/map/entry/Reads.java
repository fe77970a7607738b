package dev.larder.map.entry;

import dev.larder.codec.ValueCodec;
import dev.larder.codec.ValueMismatchException;
import dev.larder.log.GoneException;
import dev.larder.log.Position;
import dev.larder.log.RecordHandler;
import dev.larder.log.random.HeldSegment;
import dev.larder.log.random.LogRecords;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.KeyHash;
import dev.larder.map.format.PendingLayout;
import dev.larder.map.index.FlatGet;
import dev.larder.map.index.FlatLookup;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.PendingFloor;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lookups of keys, without a lock and without a shared store. The record that a lookup found may be dropped at any time. Then
 * its memory is unmapped, but never holds other bytes, and the entry has moved or is gone.
 */
public final class Reads<K, V> {

    /** The result of {@link #copy} if there is no value. */
    static final int ABSENT = FlatGet.ABSENT;

    /** The result of {@link #copyFound} if the record was dropped meanwhile. */
    private static final int DROPPED = -2;

    /** The present entry of a key: its value, if there is one, and its state, which no later state is equal to. */
    record Former<V>(@Nullable V value, long state) {}

    /** Uses the result of a lookup; runs again if the record found was dropped meanwhile. */
    @FunctionalInterface
    private interface Look<K, V, T extends @Nullable Object> {
        T at(Reads<K, V> lookups, ThreadState<K, V> desk);
    }

    private static final long NO_KEY = 0;

    private final MapParts parts;
    private final LogRecords records;
    private final ThreadStates<K, V> desks;
    private final AccessTracker uses;
    private final @Nullable FlatLookup flat;

    /** Does a whole get at once, if no access is recorded; null if memory does not stay mapped. */
    private final @Nullable FlatGet gets;

    /** Whether a key is its own 8 bytes: then it need not be laid out. */
    private final boolean longs;

    public Reads(MapParts parts, ThreadStates<K, V> desks, AccessTracker uses, ValueCodec<K> keys) {
        this(parts, desks, uses, keys.equals(ValueCodec.longs()));
    }

    /** Creates the reads of a snapshot, for keys of any kind. */
    public static <K, V> Reads<K, V> ofSnapshot(MapParts parts, ThreadStates<K, V> desks) {
        return new Reads<>(parts, desks, AccessTracker.unnoted(parts, desks), false);
    }

    private Reads(MapParts parts, ThreadStates<K, V> desks, AccessTracker uses, boolean longs) {
        this.parts = parts;
        this.records = parts.records();
        this.desks = desks;
        this.uses = uses;
        this.flat = parts.index().flat();
        this.gets = flat == null ? null : flat.get();
        this.longs = longs;
    }

    private <T extends @Nullable Object> T look(ThreadState<K, V> desk, K key, Look<K, V, T> then) {
        desk.key(Objects.requireNonNull(key, "key"), parts.seed());
        return look(desk, then);
    }

    /** Looks up the key that was laid out. */
    private <T extends @Nullable Object> T look(ThreadState<K, V> desk, Look<K, V, T> then) {
        long dropped = ThreadState.NO_RECORD;
        while (true) {
            try {
                parts.store().find(desk.probe);
                return delivered(then.at(this, desk));
            } catch (IllegalStateException | InternalError | GoneException e) {
                dropped = requireDropped(desk.probe, dropped, e);
            }
        }
    }

    /**
     * Throws the exception that an error means, unless the record that was found, or the record of its value, was dropped. Then
     * the key leads elsewhere. If it leads again to a record whose value was already gone, that is damage.
     */
    private long requireDropped(Lookup found, long before, Throwable met) {
        if (desks.areClosed() || found.position < 0 || !parts.isDropped(found.valuePosition)) {
            throw desks.explain(met, found);
        }
        return requireAnother(found, before);
    }

    private long requireAnother(Lookup found, long before) {
        if (found.position == before && found.isApart()) {
            throw records.damaged(found.position, "points to a value that was dropped");
        }
        return found.position;
    }

    /** Passes on the result of a reader, unless one of its accesses was not served. */
    static <T extends @Nullable Object> T delivered(T found) {
        AccessErrors.deliver();
        return found;
    }

    @Nullable
    public V get(K key) {
        ThreadState<K, V> desk = desks.enter();
        try {
            desk.key(Objects.requireNonNull(key, "key"), parts.seed());
            desk.expectToRead();
            V value = this.<@Nullable V>look(desk, Reads::valueIfPresent);
            desk.hasRead();
            uses.note(desk.probe);
            return value;
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    /**
     * Copies the value of a key to a place with so much room, if it fits. Returns the length of the value, or {@link #ABSENT}
     * if there is none. Pins nothing: the bytes of a record do not change as long as its file is mapped.
     */
    public int copy(K key, MemorySegment target, long at, long room) {
        FlatGet atOnce = gets;
        if (RawMemory.IS_OPEN && atOnce != null && longs && !uses.areNoted()) {
            int length = copyAtOnce(atOnce, (Long) Objects.requireNonNull(key, "key"), target, at, room);
            if (length != FlatGet.UNCLEAR) {
                return length;
            }
        }
        return copyByDesk(key, target, at, room);
    }

    /** Copies at once; if memory cannot be accessed, the caller looks again the other way, which names the reason. */
    private int copyAtOnce(FlatGet atOnce, long key, MemorySegment target, long at, long room) {
        try {
            return atOnce.copy(KeyHash.ofWord(key, parts.seed()), key, NO_KEY, Long.BYTES, target, at, room);
        } catch (InternalError e) {
            return FlatGet.UNCLEAR;
        }
    }

    private int copyByDesk(K key, MemorySegment target, long at, long room) {
        ThreadState<K, V> desk = desks.enter();
        try {
            desk.key(Objects.requireNonNull(key, "key"), parts.seed());
            FlatGet atOnce = gets;
            int length = atOnce == null || longs || uses.areNoted()
                    ? FlatGet.UNCLEAR
                    : copyAtOnce(atOnce, desk.probe, target, at, room);
            return length == FlatGet.UNCLEAR ? copy(desk, target, at, room) : length;
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    private int copy(ThreadState<K, V> desk, MemorySegment target, long at, long room) {
        desk.expectToRead();
        int length = copy(desk.probe, target, at, room);
        desk.hasRead();
        uses.note(desk.probe);
        return length;
    }

    private static int copyAtOnce(FlatGet atOnce, Lookup key, MemorySegment target, long at, long room) {
        try {
            return atOnce.copy(key.hash, key.keyWord(), key.keyAddress(), key.keyLength, target, at, room);
        } catch (InternalError e) {
            return FlatGet.UNCLEAR;
        }
    }

    private int copy(Lookup probe, MemorySegment target, long at, long room) {
        long dropped = ThreadState.NO_RECORD;
        while (true) {
            try {
                parts.store().find(probe);
                int length = probe.isPresent() ? copyFound(probe, target, at, room) : ABSENT;
                AccessErrors.deliver();
                if (length != DROPPED) {
                    return length;
                }
                dropped = requireAnother(probe, dropped);
            } catch (IllegalStateException | InternalError | GoneException e) {
                dropped = requireDropped(probe, dropped, e);
            }
        }
    }

    private int copyFound(Lookup probe, MemorySegment target, long at, long room) {
        FlatLookup atOnce = flat;
        if (RawMemory.IS_OPEN && atOnce != null && probe.valueAddress != 0) {
            boolean fits = probe.valueLength <= room;
            return !fits || atOnce.copy(probe, target, at) ? probe.valueLength : DROPPED;
        }
        MemorySegment record = records.bytes(probe.position);
        long payload = LogRecords.payload(probe.position);
        if (EntryLayout.isApart(EntryLayout.kind(record, payload))) {
            ApartValue apart = ApartValue.of(records, record, payload, probe.length);
            return copyIfFits(apart.bytes(), apart.from(), apart.length(), target, at, room);
        }
        long from = EntryLayout.valueAt(record, payload);
        return copyIfFits(record, from, (int) (payload + probe.length - from), target, at, room);
    }

    private static int copyIfFits(
            MemorySegment value, long from, int length, MemorySegment target, long at, long room) {
        if (length <= room) {
            MemorySegment.copy(value, from, target, at, length);
        }
        return length;
    }

    private @Nullable V valueIfPresent(ThreadState<K, V> desk) {
        return desk.probe.isPresent() ? value(desk) : null;
    }

    public boolean contains(K key) {
        ThreadState<K, V> desk = desks.enter();
        try {
            desk.key(Objects.requireNonNull(key, "key"), parts.seed());
            desk.probe.forHeadAlone = true;
            boolean present = look(desk, (lookups, found) -> found.probe.isPresent());
            uses.note(desk.probe);
            return present;
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    public boolean contains(K key, V value) {
        ThreadState<K, V> desk = desks.enter();
        try {
            desk.wanted(value);
            return look(desk, key, Reads::isWanted);
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    /** Returns when the entry of a key expires; empty if it does not expire, or does not exist. Not recorded as an access. */
    public Optional<Instant> expiry(K key) {
        ThreadState<K, V> desk = desks.enter();
        try {
            boolean present = look(desk, key, (lookups, found) -> found.probe.isPresent());
            return present ? parts.deadlines().instant(desk.probe) : Optional.empty();
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    /** Returns the position of a key's record, which no later one has; -1 if there is no entry. Not recorded as an access. */
    public long version(K key) {
        ThreadState<K, V> desk = desks.enter();
        try {
            return look(desk, key, (lookups, found) -> found.probe.isPresent() ? found.probe.position : -1L);
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    /**
     * Returns whether the entry of a key was accessed since this was last asked, or its record written. Not recorded as an
     * access.
     */
    public boolean takeVisit(K key) {
        ThreadState<K, V> desk = desks.enter();
        try {
            return look(desk, key, (lookups, found) -> parts.index().takeVisit(found.probe));
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    /** Returns whether a desk's lookup found the wanted value. */
    boolean isWanted(ThreadState<K, V> desk) {
        Lookup probe = desk.probe;
        return probe.isPresent()
                && desk.isWanted(
                        records, records.bytes(probe.position), LogRecords.payload(probe.position), probe.length);
    }

    /**
     * Returns the present entry of a key, for a caller that changes it only if it is still the same. Not recorded as an access.
     */
    Former<V> former(K key) {
        ThreadState<K, V> desk = desks.enter();
        try {
            return look(
                    desk, key, (lookups, found) -> new Former<>(lookups.valueIfPresent(found), found.probe.state()));
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    /** Returns the bytes of a key. */
    public ByteBuffer keyBytes(K key) {
        ThreadState<K, V> desk = desks.enter();
        try {
            desk.key(key, parts.seed());
            return ByteBuffer.wrap(
                    desk.probe.key.asSlice(0, desk.probe.keyLength).toArray(ValueLayout.JAVA_BYTE));
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    /** Returns the bytes of a value. */
    public ByteBuffer valueBytes(V value) {
        ThreadState<K, V> desk = desks.enter();
        try {
            desk.wanted(value);
            return desk.wantedBytes();
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    /** Returns the value that a desk's lookup has found. */
    V value(ThreadState<K, V> desk) {
        return value(desk, desk.probe.position, desk.probe.length);
    }

    /**
     * Reads the value that a desk's change returns, before the change is made: if the codec cannot read it, nothing was
     * changed. The caller is pinned.
     */
    void readFormer(ThreadState<K, V> desk) {
        try {
            desk.former = delivered(valueIfPresent(desk));
        } catch (InternalError e) {
            throw records.readFailed(e, desk.probe.position);
        }
    }

    /** Returns the value of a record that a lookup other than the desk's has found. */
    V value(long position, int length) {
        ThreadState<K, V> desk = desks.enter();
        try {
            return value(desk, position, length);
        } finally {
            desk.probe.busy = false; // a store: a call might not fit on the stack
        }
    }

    /** Returns the value of a record, by a desk that is in use. */
    V value(ThreadState<K, V> desk, long position, int length) {
        try {
            return desk.readValue(records, records.bytes(position), LogRecords.payload(position), length);
        } catch (ValueMismatchException e) {
            throw new ValueMismatchException(
                    parts.directory() + ": the value at position " + Position.toString(position) + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Hands a value to a handler. The thread is pinned, so the bytes stay. The handler may use the map; nothing waits for it. */
    public boolean read(K key, RecordHandler handler) {
        ThreadState<K, V> pinned = desks.pinToRead();
        long position = -1;
        try {
            int length = 0;
            ThreadState<K, V> desk = desks.enter();
            try {
                boolean present = findToRead(desk, key);
                position = present ? desk.probe.position : -1;
                length = desk.probe.length;
                uses.note(desk.probe);
            } finally {
                desk.probe.busy = false; // a store: a call might not fit on the stack
            }
            if (position >= 0) {
                hand(position, length, handler);
            }
            return position >= 0;
        } catch (IllegalStateException | InternalError e) {
            throw desks.explain(e, position);
        } finally {
            if (pinned != null) {
                int line = pinned.readLine;
                pinned.readLine = ThreadState.NO_LINE; // a store: the call might not fit on the stack
                parts.reads().unpinAnyway(line);
            }
        }
    }

    private boolean findToRead(ThreadState<K, V> desk, K key) {
        desk.key(Objects.requireNonNull(key, "key"), parts.seed());
        desk.expectToRead();
        try {
            parts.store().find(desk.probe);
            if (desk.probe.isApart()) {
                hold(desk.probe);
            }
            desk.hasRead();
            return delivered(desk.probe.isPresent());
        } catch (InternalError e) {
            throw desks.explain(e, desk.probe);
        }
    }

    /**
     * Ensures that this process has mapped the value that was found. The caller is pinned, so the value stays. Another process
     * may have dropped the segment before this one mapped it. Then the key leads elsewhere.
     */
    void hold(Lookup probe) {
        long dropped = ThreadState.NO_RECORD;
        while (probe.isApart() && probe.isPresent()) {
            try {
                records.at(probe.valuePosition);
                return;
            } catch (GoneException e) {
                dropped = requireDropped(probe, dropped, e);
                parts.store().find(probe);
            }
        }
    }

    /**
     * Makes the value that was found readable, for a change that returns or reports it. The caller is pinned. It is called
     * before the change: a later error would imply that the change was not made. Returns the lookup.
     */
    Lookup readable(Lookup probe) {
        hold(probe);
        if (probe.isApart() && probe.isPresent()) {
            ApartValue.of(records, records.bytes(probe.position), LogRecords.payload(probe.position), probe.length);
        }
        return probe;
    }

    private void hand(long position, int length, RecordHandler handler) {
        MemorySegment record = records.bytes(position);
        long at = LogRecords.payload(position);
        if (EntryLayout.isApart(EntryLayout.kind(record, at))) {
            ApartValue apart = ApartValue.of(records, record, at, length);
            handler.onRecord(apart.bytes(), apart.from(), apart.length());
        } else {
            long from = EntryLayout.valueAt(record, at);
            handler.onRecord(record, from, (int) (at + length - from));
        }
        AccessErrors.deliver();
    }

    /** Hands over a pending record, pinned: its bytes stay as long as the handler reads them. */
    public void readPending(long position, PendingFloor floor, RecordHandler handler) {
        ThreadState<K, V> pinned = desks.pinToRead();
        try {
            floor.requireAbove(position, parts.directory());
            HeldSegment there = records.at(position);
            int length = there.length(position, 0);
            requirePending(there, position, length);
            handler.onRecord(there.bytes(), LogRecords.payload(position), length);
            AccessErrors.deliver();
        } catch (IllegalStateException | InternalError e) {
            throw desks.explain(e, position);
        } finally {
            if (pinned != null) {
                int line = pinned.readLine;
                pinned.readLine = ThreadState.NO_LINE; // a store: the call might not fit on the stack
                parts.reads().unpinAnyway(line);
            }
        }
    }

    static void requirePending(HeldSegment there, long position, int length) {
        if (!PendingLayout.isPending(there.bytes(), LogRecords.payload(position), length)) {
            throw there.damaged(position, "of " + length + " bytes, is not a pending record");
        }
    }
}
