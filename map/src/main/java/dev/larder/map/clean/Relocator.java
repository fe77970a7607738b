package dev.larder.map.clean;

import static dev.larder.map.format.IndexFileLayout.EVICTED;
import static dev.larder.map.format.IndexFileLayout.EXPIRED;

import dev.larder.log.Position;
import dev.larder.log.random.CheckedRecords;
import dev.larder.log.random.LogRecords;
import dev.larder.map.RemovalCause;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.entry.Forgotten;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PendingLayout;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.Index;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.Epochs;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Decides about the records of a segment that is being emptied. A record that its key's word names is carried (copied to the
 * end of the log) or forgotten.
 *
 * <pre>
 *  its key's word names another record    dead; the other one is durable, or was committed by the lookup
 *  its word, a removal                    forget: no older record is in the log
 *  its word, a value    expired           forget
 *                       evicted           forget
 *                       else              carry: put it again, if its word is still this one
 *  pending                                put each of its values to which its key's word leads by a reference
 * </pre>
 *
 * Used by the thread that cleans.
 */
public final class Relocator {

    /** How many records are read in search of the first entry of a segment. */
    private static final int FIRST_RECORDS = 16;

    private final Index index;
    private final Epochs changes;
    private final EntryStore store;
    private final Deadlines deadlines;
    private final @Nullable Eviction eviction;
    private final Forgotten forgotten;
    private final MemorySegment shared;
    private final long seed;
    private final NamedRecords named;

    /** Whether segments may have pending records, of which the index names none. */
    private final boolean hasPending;

    private final Lookup probe = new Lookup(EntryStore.class);

    public Relocator(
            Index index,
            Epochs changes,
            EntryStore store,
            Deadlines deadlines,
            @Nullable Eviction eviction,
            Forgotten forgotten,
            MemorySegment shared,
            long seed,
            boolean hasPending) {
        this.index = index;
        this.changes = changes;
        this.store = store;
        this.deadlines = deadlines;
        this.eviction = eviction;
        this.forgotten = forgotten;
        this.shared = shared;
        this.seed = seed;
        this.hasPending = hasPending;
        this.named = new NamedRecords(index, changes);
    }

    /**
     * Decides about the records of a segment in which all changes have ended. It visits each record, or only those that the
     * index names, if these are found sooner.
     */
    public void clear(CheckedRecords records, int segment, long bytes) {
        if (eviction != null) {
            eviction.begin();
        }
        if (!hasPending && named.areFoundSooner(bytes)) {
            named.forEach(segment, position -> clear(records, position));
        } else {
            while (records.next()) {
                clear(records.position(), records.bytes(), records.length());
            }
        }
    }

    private void clear(CheckedRecords records, long position) {
        records.goTo(position);
        clear(position, records.bytes(), records.length());
    }

    /** Decides about one record, given its position, its segment and the length of its payload. */
    public void clear(long position, MemorySegment bytes, int length) {
        long at = LogRecords.payload(position);
        if (PendingLayout.isPending(bytes, at, length)) {
            clearPending(position, bytes, at, length);
        } else {
            requireEntry(position, bytes, length);
            clearEntry(position, bytes, at, length);
        }
    }

    private void clearEntry(long position, MemorySegment bytes, long at, int length) {
        begin(position, bytes, at, length);
        RemovalCause cause = null;
        boolean gone = false;
        int line = changes.pinAnyway();
        try {
            cause = cause(position, bytes, at, length);
            if (cause == null) {
                carry(position, bytes, at, length);
            } else {
                gone = forget(position);
                shrink(gone);
            }
        } finally {
            changes.unpin(line);
        }
        if (cause != null && cause != RemovalCause.REMOVED && gone) {
            Words.getAndAdd(shared, cause == RemovalCause.EXPIRED ? EXPIRED : EVICTED, 1);
            forgotten.gone(cause, bytes, at, length);
        }
    }

    /**
     * Carries the values of a pending record to which the words of their keys lead by a reference. No new reference to the
     * record is made, as it lies below the floor.
     */
    private void clearPending(long position, MemorySegment bytes, long at, int length) {
        int parts = PendingLayout.parts(bytes, at);
        long keyAt = at + PendingLayout.keysAt(parts);
        for (int part = 0; part < parts; part++) {
            int keyLength = PendingLayout.keyLength(bytes, at, part);
            MemorySegment.copy(bytes, keyAt, probe.keyOf(keyLength), 0, keyLength);
            probe.hash(seed);
            probe.forHeadAlone = true;
            deadlines.begin(probe);
            int line = changes.pinAnyway();
            try {
                carryApart(position, bytes, at, length);
            } finally {
                changes.unpin(line);
            }
            keyAt += (long) keyLength + PendingLayout.valueLength(bytes, at, part);
        }
    }

    /**
     * Carries the value even if it has expired: its reference may be anywhere, so it cannot be forgotten. It goes when the
     * cleaner reaches the copy.
     */
    private void carryApart(long pending, MemorySegment bytes, long at, int length) {
        store.find(probe);
        boolean carried = false;
        while (!carried && probe.holdsValue() && probe.isApart() && probe.valuePosition == pending) {
            long reference = probe.position;
            if (!PendingLayout.contains(bytes, at, length, probe.apartOffset, probe.apartLength)) {
                throw store.damaged(reference, "points to no value");
            }
            probe.deadline = probe.foundDeadline();
            probe.uses = Lookup.AS_BEFORE;
            carried = carryCopy(reference, bytes, at + probe.apartOffset, probe.apartLength);
        }
    }

    private boolean carryCopy(long reference, MemorySegment bytes, long from, int length) {
        boolean carried = store.putCopy(probe, reference, bytes, from, length);
        if (carried) {
            Words.getAndAdd(shared, IndexFileLayout.CARRIED_BYTES, LogRecords.sizeBytes(length));
        }
        return carried;
    }

    /** Checks the form of a record: it is verified, except in a log without checksums, where it may hold any bytes. */
    private void requireEntry(long position, MemorySegment bytes, int length) {
        if (!EntryLayout.isEntry(bytes, LogRecords.payload(position), length)) {
            throw store.damaged(position, "of " + length + " bytes, is not an entry of a map");
        }
    }

    /** Returns why a record is not carried, even if its key's word still names it; null if it is carried. */
    private @Nullable RemovalCause cause(long position, MemorySegment bytes, long at, int length) {
        byte kind = EntryLayout.kind(bytes, at);
        if (EntryLayout.isRemoval(kind)) {
            return RemovalCause.REMOVED;
        }
        if (deadlines.isPast(EntryLayout.deadline(bytes, at), probe)) {
            return RemovalCause.EXPIRED;
        }
        long size = LogRecords.sizeBytes(EntryLayout.liveLength(bytes, at, length));
        boolean goes = eviction != null && isEvicted(eviction, position, EntryLayout.uses(kind), size);
        return goes ? RemovalCause.EVICTED : null;
    }

    /** Returns whether an entry is evicted; stores in the probe the uses of an entry that stays. */
    private boolean isEvicted(Eviction from, long position, int uses, long size) {
        store.find(probe);
        boolean counts = probe.state() == position;
        boolean visited = counts && IndexWord.isVisited(probe.word);
        probe.uses = from.usesAfter(visited, uses);
        return counts && from.takes(visited, uses, size);
    }

    private void begin(long position, MemorySegment bytes, long at, int length) {
        probe.take(bytes, at, seed);
        probe.ofRecord(position, length);
        deadlines.begin(probe);
    }

    private void shrink(boolean gone) {
        if (gone) {
            index.shrink(probe);
        }
    }

    private boolean forget(long position) {
        store.find(probe);
        boolean forgotten = false;
        while (probe.state() == position && !forgotten) {
            forgotten = index.forget(probe);
            if (!forgotten) {
                store.find(probe);
            }
        }
        store.reached("map.forgotten");
        return forgotten;
    }

    /**
     * Carries a record. If another record replaced it, the lookup that finds that one commits it, so it counts before this one
     * goes.
     */
    private void carry(long position, MemorySegment bytes, long at, int length) {
        probe.deadline = EntryLayout.deadline(bytes, at);
        if (EntryLayout.isApart(EntryLayout.kind(bytes, at))) {
            carryReferenced(position, bytes, at, length);
        } else if (store.putAgain(probe, position, bytes, length)) {
            Words.getAndAdd(shared, IndexFileLayout.CARRIED_BYTES, LogRecords.sizeBytes(length));
        }
    }

    /**
     * Carries an entry that is a reference. Its value lies before it, and was carried when the walk came to the value. So its
     * word already names another record, or something is damaged: a value that is carried all the same is verified.
     */
    private void carryReferenced(long position, MemorySegment bytes, long at, int length) {
        store.find(probe);
        if (probe.state() == position) {
            long pending = EntryLayout.referencePosition(bytes, at, length);
            if (pending >= position) {
                throw store.damaged(position, "points to a later record");
            }
            try (CheckedRecords there = store.checked(Position.segment(pending))) {
                there.goTo(pending);
                long payload = LogRecords.payload(pending);
                int offset = EntryLayout.referenceOffset(bytes, at, length);
                int bytesOfValue = EntryLayout.referenceLength(bytes, at, length);
                if (!PendingLayout.contains(there.bytes(), payload, there.length(), offset, bytesOfValue)) {
                    throw store.damaged(position, "points to no value");
                }
                carryCopy(position, there.bytes(), payload + offset, bytesOfValue);
            }
        }
    }

    /** Returns whether any entry may expire. */
    boolean mayExpire() {
        return index.mayExpire();
    }

    /** Returns whether the first entry of a segment has expired; some pending records may precede it. */
    boolean isFirstExpired(CheckedRecords records) {
        for (int looked = 0; looked < FIRST_RECORDS && records.next(); looked++) {
            long at = LogRecords.payload(records.position());
            if (!PendingLayout.isMarked(records.bytes(), at, records.length())) {
                return EntryLayout.isEntry(records.bytes(), at, records.length())
                        && deadlines.isPast(EntryLayout.deadline(records.bytes(), at));
            }
        }
        return false;
    }

    /** The state of a record in the map. */
    enum Standing {
        /** Its key has another record, or none; or the record is a removal. */
        DEAD,
        EXPIRED,
        ALIVE
    }

    /** Returns the state of a record, given its position, its segment and the length of its payload. */
    Standing standing(long position, MemorySegment bytes, int length) {
        long at = LogRecords.payload(position);
        if (PendingLayout.isPending(bytes, at, length)) {
            return Standing.DEAD; // its live values count with their references
        }
        requireEntry(position, bytes, length);
        if (EntryLayout.isRemoval(EntryLayout.kind(bytes, at)) || !isNamed(position, bytes, at, length)) {
            return Standing.DEAD;
        }
        return deadlines.isPast(EntryLayout.deadline(bytes, at), probe) ? Standing.EXPIRED : Standing.ALIVE;
    }

    private boolean isNamed(long position, MemorySegment bytes, long at, int length) {
        begin(position, bytes, at, length);
        int line = changes.pinAnyway();
        try {
            store.find(probe);
            return probe.state() == position;
        } finally {
            changes.unpin(line);
        }
    }

    /** Returns how many expired entries were forgotten, by all processes. */
    long expired() {
        return Words.getAcquire(shared, EXPIRED);
    }

    long evicted() {
        return Words.getAcquire(shared, EVICTED);
    }
}
