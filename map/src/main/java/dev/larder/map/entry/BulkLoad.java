package dev.larder.map.entry;

import dev.larder.log.RecordWriter;
import dev.larder.log.append.BatchAppender;
import dev.larder.log.random.LogRecords;
import dev.larder.map.NoRoomYetException;
import dev.larder.map.format.Deadline;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.Placement;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.FlatLink;
import dev.larder.map.index.Index;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.Batches;
import dev.larder.map.shared.IndexFullException;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The work behind a loader's handle: staged entries, their batch in the log, and their links.
 *
 * <p>Used by one thread at a time.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class BulkLoad<K, V> implements AutoCloseable {

    /**
     * The limit of the staging area. It must fit into the rest of a segment, of which the smallest have 2 MiB, and into
     * the processor's second-level cache.
     */
    private static final long STAGED_MAX_BYTES = 256 << 10;

    private static final int FIRST_RECORDS = 1024;

    private final Path directory;
    private final Index index;
    private final Deadlines deadlines;
    private final long seed;
    private final ThreadState<K, V> desk;
    private final Changes<K, V> changes;
    private final LogRecords records;
    private final BatchAppender batch;
    private final Batches unlinked;
    private final GroupLookup look;
    private final @Nullable FlatLink newKeys;
    private final RecordWriter writer = this::write;
    private final KeyGroup<K> group = new KeyGroup<>();
    private int[] lengths = new int[FIRST_RECORDS];
    private long[] hashes = new long[FIRST_RECORDS];
    private int count;
    private long stagedBytes;

    /**
     * The staged records that are in the log and must be put again: another put overtook them, or an error left them
     * behind. Their first position is useless after the thread has left, since the segment may have been dropped.
     */
    private final BitSet again = new BitSet();

    /** The line of a batch that is in the log, or is about to be. */
    private int line = Batches.NONE;

    private boolean closed;

    public BulkLoad(
            MapParts parts, ThreadState<K, V> desk, Changes<K, V> changes, BatchAppender batch, Batches unlinked) {
        this.directory = parts.directory();
        this.index = parts.index();
        this.records = parts.records();
        this.unlinked = unlinked;
        this.deadlines = parts.deadlines();
        this.seed = parts.seed();
        this.desk = desk;
        this.changes = changes;
        this.batch = batch;
        this.look = new GroupLookup(parts.index(), parts.records());
        this.newKeys = parts.index().flatLink();
    }

    /**
     * Makes room in the index for so many more entries; 0 if the number is unknown.
     *
     * @throws IndexFullException when there is no room for so many; nothing was changed
     */
    public void expect(long entries) {
        if (entries == 0) {
            return;
        }
        long there = index.count();
        long all = entries > Long.MAX_VALUE - there ? Long.MAX_VALUE : there + entries;
        index.requireRoom(all);
        for (int partition = 0; partition < Placement.PARTITIONS; partition++) {
            ThreadState<K, V> pinned = changes.enter(false);
            try {
                index.makeRoom(partition, all);
            } finally {
                changes.leave(pinned);
            }
        }
    }

    /** Stages an entry, or puts it at once if it is too long for that. */
    public void put(K key, V value) {
        put(key, value, Deadline.OF_MAP);
    }

    /** Stages an entry that expires at an instant. */
    public void put(K key, V value, Instant expiry) {
        put(key, value, deadlines.at(deadlines.nowMillis(), Objects.requireNonNull(expiry, "expiry")));
    }

    /** Stages an entry that has a lifetime of its own. */
    public void put(K key, V value, Duration lifetime) {
        put(key, value, deadlines.after(deadlines.nowMillis(), Deadline.lifetimeMillis(lifetime)));
    }

    private void put(K key, V value, long deadline) {
        begin();
        try {
            desk.key(Objects.requireNonNull(key, "key"), seed);
            int valueLength = desk.value(Objects.requireNonNull(value, "value"));
            desk.probe.deadline = deadline == Deadline.OF_MAP ? deadlines.next(desk.probe) : deadline;
            long length = (long) EntryLayout.valueOffset(desk.probe.deadline, desk.probe.keyLength) + valueLength;
            boolean fits = stagedBytes + LogRecords.sizeBytes(length) <= STAGED_MAX_BYTES && batch.fits(length);
            if (!fits || !again.isEmpty()) {
                flushStaged(); // also before an entry that is put at once: the staged ones come before it
            }
            if (batch.fits(length)) {
                stage((int) length);
            } else {
                changes.set(key, value, desk.probe.deadline);
            }
        } finally {
            desk.leave();
        }
    }

    /**
     * Begins a call, until the desk is left. A codec or a listener that calls the loader meanwhile would change the key that is
     * being staged, or the entries that are being linked.
     */
    private void begin() {
        requireOpen();
        requireOutside();
        desk.probe.busy = true;
    }

    private void requireOutside() {
        if (desk.probe.busy) {
            throw new IllegalStateException(
                    directory + ": a codec or a listener cannot use the loader that has called it");
        }
    }

    private void stage(int length) {
        if (count == lengths.length) { // before the entry is added: it must not be there if the heap is full
            int[] longer = Arrays.copyOf(lengths, 2 * count);
            hashes = Arrays.copyOf(hashes, 2 * count);
            lengths = longer;
        }
        batch.add(length, writer);
        hashes[count] = desk.probe.hash;
        lengths[count++] = length;
        stagedBytes += LogRecords.sizeBytes(length);
    }

    private void write(MemorySegment record, long at, int length) {
        Lookup probe = desk.probe;
        byte kind = EntryLayout.valueUntil(probe.deadline);
        EntryLayout.write(record, at, kind, probe.deadline, probe.key, probe.keyLength);
        desk.fill(record, EntryLayout.valueAt(record, at));
    }

    /**
     * Puts the staged entries.
     *
     * @throws DiskFullException if there is no room for them; entries that were not put stay staged
     */
    public void flush() {
        begin();
        try {
            flushStaged();
        } finally {
            desk.leave();
        }
    }

    private void flushStaged() {
        if (count > 0) {
            ThreadState<K, V> pinned = changes.enter(false);
            try {
                if (again.isEmpty()) {
                    appendAndLink(pinned);
                }
                putAgain(pinned);
                count = 0;
                stagedBytes = 0;
                end();
            } finally {
                leave(); // before the pin goes: a checkpoint that waits for it counts the batches left
                changes.leave(pinned);
            }
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new ClosedException(directory + ": the loader was closed");
        }
    }

    /** If more loaders work than there are lines, each entry is put by itself. */
    private void appendAndLink(ThreadState<K, V> pinned) {
        line = unlinked.begin(records.tailSegment());
        if (line == Batches.NONE) {
            batch.clear();
            again.set(0, count);
        } else {
            append(pinned);
            again.set(0, count);
            unlinked.appended(line, batch.firstPosition(), batch.firstPosition() + stagedBytes);
            changes.appended();
            link(pinned);
        }
    }

    private void append(ThreadState<K, V> pinned) {
        try {
            changes.append(pinned, batch);
        } catch (DiskFullException e) {
            end(); // nothing was appended
            throw e;
        }
    }

    private void end() {
        if (line != Batches.NONE) {
            unlinked.end(line);
            line = Batches.NONE;
        }
    }

    /**
     * Leaves the batch after an error. The next flush puts the records that are not linked, or the cleaner links them,
     * whichever is first.
     */
    private void leave() {
        if (line != Batches.NONE) {
            unlinked.leave(line);
            line = Batches.NONE;
        }
    }

    /**
     * Links the records of the batch while the thread stays pinned. Overtaken records are put again only after that.
     */
    private void link(ThreadState<K, V> pinned) {
        long at = 0;
        for (int from = 0; from < count; from += KeyGroup.SIZE) {
            int to = Math.min(count, from + KeyGroup.SIZE);
            linkNewKeys(pinned, from, to, at);
            at = linkOthers(pinned, from, to, at);
        }
    }

    /** Links the keys that the map does not hold; most keys of a load are new. */
    private void linkNewKeys(ThreadState<K, V> pinned, int from, int to, long first) {
        if (newKeys != null) {
            long linked = newKeys.link(hashes, lengths, from, to, batch.firstPosition() + first);
            if (linked != 0) {
                changes.linked(pinned, batch.firstPosition() + first);
            }
            for (long left = linked; left != 0; left &= left - 1) {
                again.clear(from + Long.numberOfTrailingZeros(left));
            }
        }
    }

    private long linkOthers(ThreadState<K, V> pinned, int from, int to, long first) {
        group.clear();
        long at = first;
        for (int i = from; i < to; i++) {
            if (again.get(i)) {
                group.add().take(batch.staged(), LogRecords.payload(at), seed);
            }
            at += LogRecords.sizeBytes(lengths[i]);
        }
        if (group.count() > 0) {
            changes.overwriting(group);
            look.run(group);
            linkGroup(pinned, from, to, first);
        }
        return at;
    }

    private void linkGroup(ThreadState<K, V> pinned, int from, int to, long first) {
        long at = first;
        int number = 0;
        for (int i = from; i < to; i++) {
            if (again.get(i)) {
                long position = batch.firstPosition() + at;
                again.set(i, !changes.link(pinned, group.probe(number++), position, lengths[i]));
            }
            at += LogRecords.sizeBytes(lengths[i]);
        }
    }

    /**
     * Puts overtaken records again. Another thread has put the same key after this batch, before the batch was linked.
     * That thread saw the map without this entry. So this entry comes after it, and needs a later position in the log.
     *
     * <p>If a key comes several times, only its last record is put again: that one may be linked already, and its value counts.
     */
    private void putAgain(ThreadState<K, V> pinned) {
        if (again.isEmpty()) {
            return;
        }
        long[] starts = starts();
        Map<Long, Integer> lasts = new HashMap<>();
        for (int i = 0; i < count; i++) {
            lasts.put(hashes[i], i);
        }
        for (int i = again.nextSetBit(0); i >= 0; i = again.nextSetBit(i + 1)) {
            if (!comesAgain(i, lasts.getOrDefault(hashes[i], i), starts)) {
                putAgain(pinned, starts[i], lengths[i]);
            }
            again.clear(i);
        }
    }

    /** Returns where each staged record begins. */
    private long[] starts() {
        long[] starts = new long[count];
        for (int i = 1; i < count; i++) {
            starts[i] = starts[i - 1] + LogRecords.sizeBytes(lengths[i - 1]);
        }
        return starts;
    }

    /** Returns whether a later staged record, up to the last one of the same hash, has the key of a given one. */
    private boolean comesAgain(int record, int last, long[] starts) {
        for (int later = record + 1; later <= last; later++) {
            if (hashes[later] == hashes[record] && haveOneKey(starts[record], starts[later])) {
                return true;
            }
        }
        return false;
    }

    private boolean haveOneKey(long first, long second) {
        MemorySegment staged = batch.staged();
        long one = LogRecords.payload(first);
        long other = LogRecords.payload(second);
        int length = EntryLayout.keyLength(staged, one);
        long from = EntryLayout.keyAt(staged, one);
        long to = EntryLayout.keyAt(staged, other);
        return length == EntryLayout.keyLength(staged, other)
                && MemorySegment.mismatch(staged, from, from + length, staged, to, to + length) < 0;
    }

    private void putAgain(ThreadState<K, V> pinned, long at, int length) {
        group.clear();
        Lookup probe = group.add();
        long payload = LogRecords.payload(at);
        probe.take(batch.staged(), payload, seed);
        long valueAt = EntryLayout.valueAt(batch.staged(), payload);
        int valueLength = (int) (payload + length - valueAt);
        changes.put(
                pinned,
                probe,
                EntryLayout.deadline(batch.staged(), payload),
                valueLength,
                (record, to) -> MemorySegment.copy(batch.staged(), valueAt, record, to, valueLength));
    }

    /**
     * Flushes, and frees the staging memory. Entries that cannot be flushed are given up. Those already in the log are tried
     * one more time, and then left to the cleaner. Further closings do nothing.
     *
     * @throws NoRoomYetException if the call would have to wait, and may not; the loader is then as it was
     */
    @Override
    public void close() {
        if (!closed) {
            requireOutside();
            try {
                flushOrPutAgain();
            } catch (NoRoomYetException e) {
                throw e; // nothing was changed: the caller closes again where it may wait
            } catch (RuntimeException | Error e) {
                endAfter(e);
                throw e;
            }
            abandon();
        }
    }

    private void endAfter(Throwable met) {
        try {
            abandon();
        } catch (RuntimeException e) {
            met.addSuppressed(e);
        }
    }

    /**
     * Frees the staging memory, and gives up the staged entries. Also for a handle that was collected: no caller is left to
     * receive an error.
     */
    public void abandon() {
        closed = true; // first: a later flush must not link given-up entries to the records of an earlier batch
        count = 0;
        stagedBytes = 0;
        again.clear();
        batch.clear(); // entries not yet appended must not reach the log now
        batch.close();
    }

    private void flushOrPutAgain() {
        try {
            flush();
        } catch (RuntimeException e) {
            if (again.isEmpty()) {
                throw e;
            }
            putAgainAfter(e);
        }
    }

    private void putAgainAfter(RuntimeException met) {
        try {
            flush();
        } catch (RuntimeException e) {
            if (!e.equals(met)) {
                e.addSuppressed(met);
            }
            throw e;
        }
    }
}
