package dev.larder.map;

import dev.larder.log.layer.LogHooks;
import dev.larder.log.random.LogRecords;
import dev.larder.map.checkpoint.MapFiles;
import dev.larder.map.clean.Relocator;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.format.Deadline;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.index.Condition;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.Directory;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexMemory;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.LiveBytes;
import dev.larder.map.shared.Processes;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A process's view of a {@link StressIndex}, and its operations on keys and values of 8 bytes. */
final class StressProcess {

    final LogRecords records;
    final Processes processes;
    final Epochs changes;
    final Directory directory;
    final IndexMemory memory;
    final Index index;
    final EntryStore store;
    final Deadlines deadlines = new Deadlines(Lifetime.endless(), System::currentTimeMillis);
    private final long seed;
    private final MemorySegment shared;
    private final ThreadLocal<Lookup> probes = ThreadLocal.withInitial(Lookup::new);

    /** For one thread. */
    private final Relocator carrier;

    StressProcess(MapFiles files, LogHooks doors, int owner) {
        IndexFile file = files.index();
        records = files.records();
        seed = file.opening().seed();
        shared = file.memory();
        processes = Processes.enter(file, owner, anybody -> true);
        changes = Epochs.ofChanges(file, processes);
        directory = new Directory(file);
        memory = new IndexMemory(file, processes, changes);
        PackedPositions places = new PackedPositions(file.opening().largestSegmentBytes(), records);
        LiveBytes live = new LiveBytes(file, processes);
        index = new Index(records, places, directory, memory, live, deadlines, doors.failpoints());
        store = new EntryStore(files.directory(), index, records, position -> {}, doors.failpoints());
        carrier = new Relocator(
                index, changes, store, deadlines, null, (cause, record, at, length) -> {}, shared, seed, false);
    }

    /** Returns this thread's lookup of a key. */
    Lookup probe(long key) {
        Lookup probe = probes.get();
        probe.keyOf(Long.BYTES).set(ValueLayout.JAVA_LONG, 0, key);
        probe.hash(seed);
        probe.deadline = Deadline.NONE;
        return probe;
    }

    /** Returns the value of a key; {@link StressMap#NONE} if there is none. */
    long get(long key) {
        Lookup probe = probe(key);
        index.find(probe);
        return value(probe);
    }

    /** Returns the value that a lookup has found. */
    long value(Lookup found) {
        if (!found.isPresent()) {
            return StressMap.NONE;
        }
        MemorySegment record = records.bytes(found.position);
        long at = EntryLayout.valueAt(record, LogRecords.payload(found.position));
        return record.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    }

    /** Puts a value; returns the value before. */
    long put(long key, long value) {
        return put(probe(key), value);
    }

    long put(Lookup probe, long value) {
        int line = changes.pinAnyway();
        try {
            store.put(
                    probe,
                    Long.BYTES,
                    (record, at) -> record.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value),
                    Condition.ALWAYS);
            return value(probe);
        } finally {
            changes.unpin(line);
        }
    }

    /** Removes a key; returns its value. */
    long remove(long key) {
        return remove(probe(key));
    }

    long remove(Lookup probe) {
        int line = changes.pinAnyway();
        try {
            return store.remove(probe, Condition.ALWAYS) ? value(probe) : StressMap.NONE;
        } finally {
            changes.unpin(line);
        }
    }

    /** Returns the position of a key's newest record, which may be a removal. */
    long position(long key) {
        Lookup probe = probe(key);
        index.find(probe);
        return probe.position;
    }

    /** Removes the word of a key, as the cleaner does once no record of the key is left: so the index does not grow. */
    void forget(long key) {
        Lookup probe = probe(key);
        int line = changes.pinAnyway();
        try {
            index.find(probe);
            while (probe.found == Lookup.Found.KEY) {
                index.forget(probe);
                index.find(probe);
            }
        } finally {
            changes.unpin(line);
        }
    }

    Relocator carrier() {
        return carrier;
    }

    /** Lets the cleaner decide about a record; returns whether it carried the record. For one thread at a time. */
    boolean clean(long position) {
        long before = Words.getAcquire(shared, IndexFileLayout.CARRIED_BYTES);
        carrier.clear(position, records.bytes(position), records.length(position));
        return Words.getAcquire(shared, IndexFileLayout.CARRIED_BYTES) != before;
    }

    /** Merges the two pages of a place. */
    void merge(StressIndex.Place place) {
        int line = changes.pinAnyway();
        try {
            index.rebuild().shrink(place.partition(), place.entry());
        } finally {
            changes.unpin(line);
        }
    }
}
