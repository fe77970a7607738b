package dev.larder.server.store;

import dev.larder.map.LarderMap;
import dev.larder.map.MapInfo;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The memory of a store's strings, and the eviction of some when it is too much. */
public final class StringsMemory {

    private final LarderMap<Bytes, Bytes> strings;
    private final Consumer<Bytes> listener;
    private final LongAdder evictions = new LongAdder();
    private final boolean alwaysNotes;
    private volatile long indexBytes;
    private volatile boolean notes;
    private volatile EvictionPolicy policy = EvictionPolicy.NOEVICTION;

    /**
     * Creates the view of a map of strings.
     *
     * @param alwaysNotes whether the map records uses in any case
     * @param listener called with each key that {@link #evict} has removed
     */
    StringsMemory(LarderMap<Bytes, Bytes> strings, boolean alwaysNotes, Consumer<Bytes> listener) {
        this.strings = strings;
        this.alwaysNotes = alwaysNotes;
        this.listener = listener;
    }

    /**
     * Returns the bytes of the strings: their records, and the memory of the index as {@link #measureIndex} last found it.
     * Streams do not count.
     */
    public long usedBytes() {
        return strings.liveBytes() + indexBytes;
    }

    /** Measures the index and records its size. */
    public void measureIndex() {
        noteIndex(strings.info().indexBytes());
    }

    /** Records a measured size of the index. */
    public void noteIndex(long bytes) {
        indexBytes = bytes;
    }

    /**
     * Sets the eviction policy. If the policy needs it, the map records which strings are used.
     *
     * @param limited whether there is a limit, so that strings may be evicted
     */
    public void follow(EvictionPolicy next, boolean limited) {
        policy = next;
        notes = limited && next.asksUses();
        strings.noteUses(notes);
    }

    /** Returns the eviction policy. */
    public EvictionPolicy policy() {
        return policy;
    }

    /** Returns whether the map records which strings are used. */
    boolean notesUses() {
        return notes || alwaysNotes;
    }

    /** Returns whether a string was used since eviction last checked it, and clears that mark; true if uses are not recorded. */
    boolean takeUse(Bytes key) {
        return !notesUses() || strings.takeUse(key);
    }

    /** Returns whether a string is recorded as used since eviction last checked it. */
    public boolean isUsed(Bytes key) {
        boolean used = notesUses() && strings.takeUse(key);
        return used && strings.containsKey(key); // which counts as a use
    }

    /**
     * Passes on the keys of some strings to evict, the first to evict first: the worst of the keys that the policy compares.
     *
     * @param cursor where the scan continues: 0, or the result of the previous call
     * @return the next cursor; 0 at the end
     */
    public long scanEvictable(long cursor, EvictionPolicy policy, Consumer<? super Bytes> handler) {
        EvictionBatch batch = new EvictionBatch(strings, policy);
        long next = strings.scanKeys(cursor, EvictionBatch.KEYS, batch::add);
        batch.worst().forEach(handler);
        return next;
    }

    /**
     * Evicts a string, and reports it; returns whether it existed. Does not wait. If the policy spares strings that do not
     * expire, the string is looked at again: it may have lost its lifetime since it was chosen.
     *
     * @throws dev.larder.map.NoRoomYetException if it would have to wait
     */
    public boolean evict(Bytes key, EvictionPolicy chosenBy) {
        if (chosenBy.isOnlyVolatile() && strings.expiry(key).isEmpty()) {
            return false;
        }
        boolean evicted = strings.withoutWaiting(() -> strings.delete(key));
        if (evicted) {
            evictions.increment();
            listener.accept(key);
        }
        return evicted;
    }

    /**
     * Returns how many strings were evicted since the store was opened, by {@link #evict} and by the map.
     *
     * @param seen the map as it was seen
     */
    public long evicted(MapInfo seen) {
        return evictions.sum() + seen.space().evicted();
    }
}
