package dev.larder.map.entry;

import dev.larder.log.GoneException;
import dev.larder.log.random.HeldSegment;
import dev.larder.log.random.LogRecords;
import dev.larder.log.random.PrefixCache;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.index.IndexWalk;
import dev.larder.map.index.Lookup;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A walk over all entries: it notes those of one page of the index together, and then reads them one by one. */
public final class EntryWalk<K, V> {

    private final MapParts parts;
    private final LogRecords records;
    private final ThreadStates<K, V> desks;
    private final Reads<K, V> lookups;
    private final IndexWalk walk;
    private final EntryList entries = new EntryList();
    private int at;

    public EntryWalk(MapParts parts, ThreadStates<K, V> desks, Reads<K, V> lookups) {
        this(parts, desks, lookups, 0);
    }

    /** Creates a walk that continues at a {@link #cursor}. */
    public EntryWalk(MapParts parts, ThreadStates<K, V> desks, Reads<K, V> lookups, long cursor) {
        this.parts = parts;
        this.records = parts.records();
        this.desks = desks;
        this.lookups = lookups;
        this.walk = new IndexWalk(parts.index(), cursor);
    }

    /** Returns the next entry; null at the end. */
    public Map.@Nullable Entry<K, V> next() {
        return next(this::found);
    }

    /** Returns the key of the next entry, without reading its value; null at the end. */
    public @Nullable K nextKey() {
        return next(this::key);
    }

    private <T> @Nullable T next(Reader<K, V, T> reader) {
        T next = null;
        boolean more = true;
        while (next == null && more) {
            more = at < entries.count() || nextStep();
            if (at < entries.count()) {
                next = withDesk(at++, reader);
            }
        }
        return next;
    }

    /** Returns the place of the walk between two pages of the index; 0 at the end. */
    public long cursor() {
        return walk.cursor();
    }

    /** Passes on the keys of the next page of the index, and returns their number; -1 at the end of the index. */
    public int nextKeys(Consumer<? super K> handler) {
        if (!nextStep()) {
            return -1;
        }
        int count = 0;
        for (at = 0; at < entries.count(); at++) {
            K key = withDesk(at, this::key);
            if (key != null) {
                handler.accept(key);
                count++;
            }
        }
        return count;
    }

    /**
     * Looks at some entries of the next page of the index, from a random one on. It passes on the keys of those that have
     * expired and still count. Once one has expired, it looks at all of the page.
     *
     * @param goesOn asked before each entry but the first, whether to continue
     * @return how many entries it looked at; -1 at the end of the index
     */
    public int nextExpired(int sample, RandomGenerator random, BooleanSupplier goesOn, Consumer<? super K> handler) {
        desks.checkOpen();
        entries.clear();
        if (!nextWords()) {
            return -1;
        }
        int first = random.nextInt(Math.max(1, entries.count()));
        int most = Math.min(sample, entries.count());
        int looked = 0;
        while (looked < most && (looked == 0 || goesOn.getAsBoolean())) {
            K key = withDesk((first + looked) % entries.count(), this::expiredKey);
            looked++;
            if (key != null) {
                handler.accept(key);
                most = entries.count();
            }
        }
        return looked;
    }

    /** Returns the key of an expired entry; null if the entry has not expired, or was moved since. */
    private @Nullable K expiredKey(ThreadState<K, V> desk, int entry) {
        long position = entries.position(entry);
        if (parts.isDropped(position)) {
            return null;
        }
        try {
            return expiredKey(desk, position, records.at(position));
        } catch (GoneException e) { // another process dropped the segment before this one mapped it
            return null;
        }
    }

    private @Nullable K expiredKey(ThreadState<K, V> desk, long position, HeldSegment there) {
        PrefixCache heads = there.heads();
        long head = heads.find(position);
        if (head != PrefixCache.NONE) {
            return expiredKey(desk, heads.bytes(), head);
        }
        there.lengthForHead(position);
        return expiredKey(desk, there.bytes(), LogRecords.payload(position));
    }

    private @Nullable K expiredKey(ThreadState<K, V> desk, MemorySegment bytes, long at) {
        return parts.deadlines().isPast(EntryLayout.deadline(bytes, at)) ? desk.readKey(bytes, at) : null;
    }

    /** Notes the entries of the next page; returns false at the end of the index. */
    private boolean nextStep() {
        desks.checkOpen();
        at = 0;
        ThreadState<K, V> pinned = desks.pinToRead(); // before the words are read, until their keys are known
        try {
            return Reads.delivered(nextKeys());
        } catch (IllegalStateException | InternalError e) {
            throw desks.explain(e, -1);
        } finally {
            if (pinned != null) {
                int line = pinned.readLine;
                pinned.readLine = ThreadState.NO_LINE; // a store: the call might not fit on the stack
                parts.reads().unpinAnyway(line);
            }
        }
    }

    /**
     * Notes the keys of the next page. Another process may drop a segment that a word of the page names, before this process
     * has mapped it. Then its entries have moved, and the page is read again.
     */
    private boolean nextKeys() {
        while (true) {
            int first = records.firstSegment();
            try {
                return nextKeysNow();
            } catch (GoneException e) {
                if (records.firstSegment() == first) {
                    throw e;
                }
                walk.back();
            }
        }
    }

    private boolean nextKeysNow() {
        entries.clear();
        boolean any = nextWords();
        for (int i = 0; i < entries.count(); i++) {
            takeKey(i);
        }
        return any;
    }

    private boolean nextWords() {
        int line = parts.changes().pinAnyway();
        try {
            return walk.next((step, place) -> step.forEachKey((group, word) -> { // each key once
                if (IndexWord.isAlive(word)) {
                    entries.add(parts.index().places().position(IndexWord.place(word)));
                }
            }));
        } finally {
            parts.changes().unpinAnyway(line);
        }
    }

    private void takeKey(int entry) {
        long position = entries.position(entry);
        parts.entryLength(position); // a record that comes from the disk is checked
        entries.takeKey(entry, records.bytes(position), LogRecords.payload(position));
    }

    /** Makes a result of an entry of the page, while its record is pinned. */
    @FunctionalInterface
    private interface Reader<K, V, T> {
        @Nullable
        T read(ThreadState<K, V> desk, int entry);
    }

    /** Returns an entry of the page; null if its record was dropped since, and its key has no entry now. */
    private Map.@Nullable Entry<K, V> found(ThreadState<K, V> desk, int entry) {
        long position = entries.position(entry);
        return parts.isDropped(position) ? lookedFor(desk, entry) : unexpired(desk, entry, position);
    }

    private <T> @Nullable T withDesk(int entry, Reader<K, V, T> reader) {
        ThreadState<K, V> desk = desks.enter();
        ThreadState<K, V> pinned = pinToRead(desk);
        try {
            return Reads.delivered(reader.read(desk, entry));
        } catch (IllegalStateException | InternalError e) {
            throw desks.explain(e, entries.position(entry));
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            if (pinned != null) {
                int line = pinned.readLine;
                pinned.readLine = ThreadState.NO_LINE; // a store: the call might not fit on the stack
                parts.reads().unpinAnyway(line);
            }
        }
    }

    /** Returns the key of an entry of the page; null if the key has no entry now. */
    private @Nullable K key(ThreadState<K, V> desk, int entry) {
        long position = entries.position(entry);
        if (!parts.isDropped(position)) {
            parts.entryLength(position); // it may have left memory since it was noted
            if (!isPast(position)) {
                return readKey(desk, position);
            }
        }
        return keyLookedFor(desk, entry);
    }

    private boolean isPast(long position) {
        return parts.deadlines().isPast(EntryLayout.deadline(records.bytes(position), LogRecords.payload(position)));
    }

    private K readKey(ThreadState<K, V> desk, long position) {
        return desk.readKey(records.bytes(position), LogRecords.payload(position));
    }

    private @Nullable K keyLookedFor(ThreadState<K, V> desk, int entry) {
        Lookup probe = find(desk, entry);
        return probe.isPresent() ? readKey(desk, probe.position) : null;
    }

    /** Looks up the key of an entry of the page: its record was dropped since, or has expired and may have been replaced. */
    private Lookup find(ThreadState<K, V> desk, int entry) {
        Lookup probe = desk.probe;
        entries.giveKey(entry, probe);
        probe.hash(parts.seed());
        parts.store().find(probe);
        return probe;
    }

    /** Pins the thread; leaves its desk if that fails. */
    private @Nullable ThreadState<K, V> pinToRead(ThreadState<K, V> desk) {
        try {
            return desks.pinToRead();
        } catch (RuntimeException | Error e) {
            desk.probe.busy = false;
            throw e;
        }
    }

    private Map.@Nullable Entry<K, V> unexpired(ThreadState<K, V> desk, int entry, long position) {
        int length = parts.entryLength(position);
        if (isPast(position)) {
            return lookedFor(desk, entry);
        }
        MemorySegment bytes = records.bytes(position);
        long at = LogRecords.payload(position);
        boolean apart = EntryLayout.isApart(EntryLayout.kind(bytes, at));
        boolean there = !apart || isThere(EntryLayout.referencePosition(bytes, at, length));
        return there ? entry(desk, position, length) : lookedFor(desk, entry);
    }

    /** Returns whether the segment of a value was not dropped, and is now mapped by this process. */
    private boolean isThere(long position) {
        if (parts.isDropped(position)) {
            return false;
        }
        try {
            records.at(position);
            return true;
        } catch (GoneException e) { // another process has just dropped it
            return false;
        }
    }

    private Map.@Nullable Entry<K, V> lookedFor(ThreadState<K, V> desk, int entry) {
        Lookup probe = find(desk, entry);
        lookups.hold(probe);
        return probe.isPresent() ? entry(desk, probe.position, probe.length) : null;
    }

    private Map.Entry<K, V> entry(ThreadState<K, V> desk, long position, int length) {
        K key = desk.readKey(records.bytes(position), LogRecords.payload(position));
        return Map.entry(key, lookups.value(desk, position, length));
    }
}
