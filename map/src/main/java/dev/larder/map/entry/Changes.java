package dev.larder.map.entry;

import dev.larder.log.Position;
import dev.larder.log.RecordWriter;
import dev.larder.log.append.BatchAppender;
import dev.larder.log.random.HeldSegment;
import dev.larder.log.random.LogRecords;
import dev.larder.map.format.Deadline;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.PendingLayout;
import dev.larder.map.index.Condition;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.PendingFloor;
import dev.larder.memory.DiskFullException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes of single entries, each by a thread that is pinned at its desk. */
public final class Changes<K, V> {

    private static final EntryStore.Filler NOTHING = (record, at) -> {};
    private static final Condition EXPIRED = found -> found.holdsValue() && found.expired;

    private final MapParts parts;
    private final LogRecords records;
    private final ThreadStates<K, V> desks;
    private final Reads<K, V> lookups;
    private final RemovalNotifier<K, V> removals;

    public Changes(MapParts parts, ThreadStates<K, V> desks, Reads<K, V> lookups, RemovalNotifier<K, V> removals) {
        this.parts = parts;
        this.records = parts.records();
        this.desks = desks;
        this.lookups = lookups;
        this.removals = removals;
    }

    /** Waits for space, and returns this thread's desk, pinned. */
    public ThreadState<K, V> enter(boolean removal) {
        removals.requireNotTelling();
        return desks.enterToChange(removal);
    }

    /** Waits until there is room for a put, or a removal. */
    public void awaitRoom(boolean removal) {
        leave(enter(removal));
    }

    public void leave(ThreadState<K, V> desk) {
        desks.leave(desk);
    }

    public void set(K key, V value) {
        set(key, value, Deadline.OF_MAP, Lookup.UNASKED);
    }

    /** Puts a value that has a lifetime of its own. */
    public void set(K key, V value, Duration lifetime) {
        long now = parts.deadlines().nowMillis();
        set(key, value, parts.deadlines().after(now, Deadline.lifetimeMillis(lifetime)), now);
    }

    /** Puts a value that expires at an instant. */
    public void set(K key, V value, Instant expiry) {
        long now = parts.deadlines().nowMillis();
        set(key, value, parts.deadlines().at(now, expiry), now);
    }

    /** Puts a value that expires at a deadline. */
    public void set(K key, V value, long deadline) {
        set(key, value, parts.deadlines().given(deadline), Lookup.UNASKED);
    }

    private void set(K key, V value, long deadline, long nowMillis) {
        ThreadState<K, V> desk = enter(false);
        try {
            int length = layOut(desk, key, value, deadline, nowMillis);
            change(desk, overwriting(desk.probe), false, length, desk, Condition.ALWAYS);
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    /** Records in the lookup that only the head of the former record is needed, unless a listener receives its value. */
    private Lookup overwriting(Lookup probe) {
        probe.forHeadAlone = !removals.areTold();
        return probe;
    }

    /** Puts a value if a condition holds; returns the value that was there before, whether it was replaced or not. */
    @Nullable
    public V put(K key, V value, Condition condition) {
        return put(key, value, Deadline.OF_MAP, Lookup.UNASKED, condition);
    }

    /** Puts a value with a lifetime of its own if a condition holds; returns the value that was there before. */
    @Nullable
    public V put(K key, V value, Duration lifetime, Condition condition) {
        long now = parts.deadlines().nowMillis();
        return put(key, value, parts.deadlines().after(now, Deadline.lifetimeMillis(lifetime)), now, condition);
    }

    /** Puts a value that expires at an instant if a condition holds; returns the value that was there before. */
    @Nullable
    public V put(K key, V value, Instant expiry, Condition condition) {
        long now = parts.deadlines().nowMillis();
        return put(key, value, parts.deadlines().at(now, expiry), now, condition);
    }

    private @Nullable V put(K key, V value, long deadline, long nowMillis, Condition condition) {
        ThreadState<K, V> desk = enter(false);
        try {
            int length = layOut(desk, key, value, deadline, nowMillis);
            change(desk, desk.probe, false, length, desk, found -> {
                lookups.readFormer(desk);
                return condition.holds(found);
            });
            return desk.former;
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    public boolean replace(K key, V oldValue, V newValue) {
        ThreadState<K, V> desk = enter(false);
        try {
            desk.wanted(Objects.requireNonNull(oldValue, "oldValue"));
            return put(desk, key, newValue, probe -> lookups.isWanted(desk));
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    /** Removes a key without reading its value; returns whether there was one. */
    public boolean delete(K key) {
        ThreadState<K, V> desk = enter(true);
        try {
            desk.key(key, parts.seed());
            boolean removed = change(desk, overwriting(desk.probe), true, 0, NOTHING, Condition.PRESENT);
            removeIfExpired(desk);
            return Reads.delivered(removed);
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    /** Removes the entry of a key if it has expired; returns whether there was one. */
    public boolean removeExpired(K key) {
        ThreadState<K, V> desk = enter(true);
        try {
            desk.key(key, parts.seed());
            return Reads.delivered(change(desk, overwriting(desk.probe), true, 0, NOTHING, EXPIRED));
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    @Nullable
    public V remove(K key) {
        ThreadState<K, V> desk = enter(true);
        try {
            boolean removed = remove(desk, key, found -> {
                lookups.readFormer(desk);
                return true;
            });
            removeIfExpired(desk);
            return removed ? desk.former : null;
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    /** Removes an entry that a removal found expired, so that listeners are called now and not when the cleaner reaches it. */
    private void removeIfExpired(ThreadState<K, V> desk) {
        if (EXPIRED.holds(desk.probe)) {
            change(desk, overwriting(desk.probe), true, 0, NOTHING, EXPIRED);
        }
    }

    public boolean remove(K key, V value) {
        ThreadState<K, V> desk = enter(true);
        try {
            desk.wanted(value);
            return remove(desk, key, probe -> lookups.isWanted(desk));
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    /** Puts a value that a writer writes into the claimed record. */
    public void write(K key, int length, RecordWriter writer) {
        write(key, length, writer, Deadline.OF_MAP, Lookup.UNASKED);
    }

    /** Puts a value that a writer writes, and that has a lifetime of its own. */
    public void write(K key, int length, RecordWriter writer, Duration lifetime) {
        long now = parts.deadlines().nowMillis();
        write(key, length, writer, parts.deadlines().after(now, Deadline.lifetimeMillis(lifetime)), now);
    }

    /** Puts a value that a writer writes, and that expires at an instant. */
    public void write(K key, int length, RecordWriter writer, Instant expiry) {
        long now = parts.deadlines().nowMillis();
        write(key, length, writer, parts.deadlines().at(now, expiry), now);
    }

    private void write(K key, int length, RecordWriter writer, long deadline, long nowMillis) {
        if (length < 0) {
            throw new IllegalArgumentException(parts.directory() + ": value of " + length + " bytes");
        }
        ThreadState<K, V> desk = enter(false);
        try {
            layOut(desk, key, deadline, nowMillis);
            change(
                    desk,
                    overwriting(desk.probe),
                    false,
                    length,
                    (record, at) -> writer.write(record, at, length),
                    Condition.ALWAYS);
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    /**
     * Replaces or removes the entry of a key if its state is unchanged; returns whether it was. The state of an entry that has
     * expired since has changed: readers may have found it gone.
     */
    boolean exchange(K key, Reads.Former<V> former, @Nullable V value) {
        ThreadState<K, V> desk = enter(value == null);
        try {
            boolean wasPresent = former.value() != null;
            Condition unchanged = found -> found.state() == former.state() && found.isPresent() == wasPresent;
            return value == null ? remove(desk, key, unchanged) : put(desk, key, value, unchanged);
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    private boolean put(ThreadState<K, V> desk, K key, V value, Condition condition) {
        int length = layOut(desk, key, value, Deadline.OF_MAP, Lookup.UNASKED);
        return change(desk, desk.probe, false, length, desk, condition);
    }

    /** Lays an entry out, with the time of the call if that is known already; returns the length of its value. */
    private int layOut(ThreadState<K, V> desk, K key, V value, long deadline, long nowMillis) {
        int length = desk.value(Objects.requireNonNull(value, "value"));
        layOut(desk, key, deadline, nowMillis);
        return length;
    }

    private void layOut(ThreadState<K, V> desk, K key, long deadline, long nowMillis) {
        desk.key(Objects.requireNonNull(key, "key"), parts.seed());
        desk.probe.nowMillis = nowMillis;
        desk.probe.deadline = deadline == Deadline.OF_MAP ? parts.deadlines().next(desk.probe) : deadline;
    }

    /** Records in all lookups of a group that only the heads of the former records are needed, as for a single one. */
    public void overwriting(KeyGroup<?> group) {
        for (int i = 0; i < group.count(); i++) {
            overwriting(group.probe(i));
        }
    }

    /** Puts a value whose key was laid out in a lookup other than the desk's; pinned by that desk. */
    public void put(ThreadState<K, V> desk, Lookup probe, V value) {
        int length = desk.value(Objects.requireNonNull(value, "value"));
        put(desk, probe, parts.deadlines().next(probe), length, desk);
    }

    /** Puts a value of so many bytes, written by a filler, for a key that was laid out; pinned by a desk. */
    public void put(ThreadState<K, V> desk, Lookup probe, long deadline, int length, EntryStore.Filler value) {
        probe.deadline = deadline;
        change(desk, probe, false, length, value, Condition.ALWAYS);
    }

    private boolean remove(ThreadState<K, V> desk, K key, Condition condition) {
        desk.key(key, parts.seed());
        return change(desk, desk.probe, true, 0, NOTHING, found -> found.isPresent() && condition.holds(found));
    }

    /** Runs a function for a key; inside it this thread cannot change that key, as the function would run again forever. */
    <T extends @Nullable Object> T computing(K key, Supplier<T> function) {
        ThreadState<K, V> noted = desks.noteKey(key);
        try {
            return function.get();
        } finally {
            noted.own.innermost = noted.outer; // stores alone: a call might not fit on the stack
            noted.outer = null;
            noted.changing = null;
        }
    }

    /** Refuses a change inside another of the same key: the outer one would be overtaken and write its value again, forever. */
    private void requireOtherKey(ThreadState<K, V> desk, Lookup probe) {
        for (ThreadState<K, V> outer = desk.outer; outer != null; outer = outer.outer) {
            Lookup changing = outer.changing;
            if (changing != null && changing.hasKeyOf(probe)) {
                throw new IllegalStateException(parts.directory()
                        + ": a codec, a writer of a value or a function of compute cannot change the key"
                        + " whose value it makes");
            }
        }
    }

    /** Makes a change; if the disk is full, unpins, makes room and tries again. */
    private boolean change(
            ThreadState<K, V> desk,
            Lookup probe,
            boolean removal,
            int length,
            EntryStore.Filler value,
            Condition condition) {
        if (desk.outer != null) {
            requireOtherKey(desk, probe);
        }
        Condition known = probe.forHeadAlone ? condition : found -> condition.holds(lookups.readable(found));
        for (int tries = 0; ; tries++) {
            desk.changing = probe; // again: making room forgets it
            try {
                boolean made = removal
                        ? parts.store().remove(probe, known)
                        : parts.store().put(probe, length, value, known);
                if (made) {
                    desks.linked(desk, probe.made);
                    removals.changed(desk, probe, removal);
                }
                return made;
            } catch (DiskFullException e) {
                desks.makeRoom(desk, e, tries, removal);
            }
        }
    }

    /** Appends the staged records of a batch, pinned by a desk until all are linked. Tries again if the disk is full. */
    public void append(ThreadState<K, V> desk, BatchAppender batch) {
        for (int tries = 0; ; tries++) {
            try {
                parts.store().append(batch);
                return;
            } catch (DiskFullException e) {
                desks.makeRoom(desk, e, tries, false);
            }
        }
    }

    /**
     * Appends a pending record, of so many bytes, and returns its position.
     *
     * @param appended receives the position before the cleaner can reach the record
     */
    public long appendPending(long length, EntryStore.Filler filler, LongConsumer appended) {
        ThreadState<K, V> desk = enter(false);
        try {
            for (int tries = 0; ; tries++) {
                try {
                    long position = parts.store().append(desk.probe.claim, length, filler);
                    appended.accept(position);
                    desks.linked(desk, position);
                    return position;
                } catch (DiskFullException e) {
                    desks.makeRoom(desk, e, tries, false);
                }
            }
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    /**
     * Puts the value of a part of a pending record by a reference.
     *
     * @param floor refuses a record that may be dropped
     */
    public void putReference(long pending, int part, Optional<Instant> expiry, PendingFloor floor) {
        ThreadState<K, V> desk = enter(false);
        try {
            floor.requireAbove(pending, parts.directory());
            putReference(desk, pending, part, expiry, floor);
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
        }
    }

    private void putReference(
            ThreadState<K, V> desk, long pending, int part, Optional<Instant> expiry, PendingFloor floor) {
        HeldSegment there = records.at(pending);
        MemorySegment bytes = there.bytes();
        long at = LogRecords.payload(pending);
        Reads.requirePending(there, pending, there.length(pending, 0));
        if (part < 0 || part >= PendingLayout.parts(bytes, at)) {
            throw new IllegalArgumentException(parts.directory() + ": part " + part + " of "
                    + PendingLayout.parts(bytes, at) + " of the pending record at position "
                    + Position.toString(pending));
        }
        int keyOffset = PendingLayout.keyOffset(bytes, at, part);
        int keyLength = PendingLayout.keyLength(bytes, at, part);
        Lookup probe = desk.probe;
        MemorySegment.copy(bytes, at + keyOffset, probe.keyOf(keyLength), 0, keyLength);
        probe.hash(parts.seed());
        probe.deadline = deadline(probe, expiry);
        probe.putApart = PendingLayout.valueLength(bytes, at, part);
        EntryStore.Filler reference = (record, to) -> {
            floor.requireAbove(pending, parts.directory()); // again: a thread that makes room is not pinned meanwhile
            EntryLayout.writeReference(record, to, pending, keyOffset + keyLength, probe.putApart);
        };
        change(desk, overwriting(probe), false, EntryLayout.REFERENCE_BYTES, reference, Condition.ALWAYS);
    }

    private long deadline(Lookup probe, Optional<Instant> expiry) {
        if (expiry.isEmpty()) {
            return parts.deadlines().next(probe);
        }
        probe.nowMillis = parts.deadlines().nowMillis();
        return parts.deadlines().at(probe.nowMillis, expiry.get());
    }

    /** Reports that the batch is in the log, and no index word names its records yet. */
    public void appended() {
        parts.store().reached("map.batched");
    }

    /** Notes that records of new keys were linked; the position is that of the last, or of a later one of their batch. */
    public void linked(ThreadState<K, V> desk, long position) {
        desks.linked(desk, position);
    }

    /** Links a record that was appended; returns false if a later record of its key is linked. */
    public boolean link(ThreadState<K, V> desk, Lookup probe, long position, int length) {
        boolean linked = parts.store().linkCommitted(probe, position, length, false);
        if (linked) {
            desks.linked(desk, position);
            removals.changed(desk, probe, false);
        }
        return linked;
    }
}
