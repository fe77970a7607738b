package dev.larder.server.store;

import dev.larder.map.LarderMap;
import dev.larder.map.MapInfo;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** What the strings of a store take, and the eviction of some when that is too much. */
public final class StringsMemory {

    private final LarderMap<Bytes, Bytes> strings;
    private final Consumer<Bytes> listener;
    private final LongAdder evictions = new LongAdder();
    private final boolean alwaysNotes;
    private volatile long indexBytes;
    private volatile boolean notes;
    private volatile EvictionPolicy policy = EvictionPolicy.NOEVICTION;

    /**
     * Of some strings.
     *
     * @param alwaysNotes whether the map notes which are used in any case
     * @param listener hears of those that {@link #evict} has removed
     */
    StringsMemory(LarderMap<Bytes, Bytes> strings, boolean alwaysNotes, Consumer<Bytes> listener) {
        this.strings = strings;
        this.alwaysNotes = alwaysNotes;
        this.listener = listener;
    }

    /**
     * Returns how many bytes the strings take: their records, and the memory of the index, which is looked at by
     * {@link #measureIndex}. Streams do not count.
     */
    public long usedBytes() {
        return strings.liveBytes() + indexBytes;
    }

    /** Takes note of how large the index is now. */
    public void measureIndex() {
        noteIndex(strings.info().indexBytes());
    }

    /** Takes note of how large the index was found to be. */
    public void noteIndex(long bytes) {
        indexBytes = bytes;
    }

    /**
     * Sets the policy of evictions. Where it asks for that, it is noted which strings are used.
     *
     * @param limited whether there is a limit, so that strings may be evicted
     */
    public void follow(EvictionPolicy next, boolean limited) {
        policy = next;
        notes = limited && next.asksUses();
        strings.noteUses(notes);
    }

    /** Returns the policy of evictions. */
    public EvictionPolicy policy() {
        return policy;
    }

    /** Returns whether it is noted which strings are used. */
    boolean notesUses() {
        return notes || alwaysNotes;
    }

    /** Returns whether a string was used since an eviction has looked at it last, and forgets that; true where it is not noted. */
    boolean takeUse(Bytes key) {
        return !notesUses() || strings.takeUse(key);
    }

    /** Returns whether it is noted of a string that it was used since an eviction has looked at it last. */
    public boolean isUsed(Bytes key) {
        boolean used = notesUses() && strings.takeUse(key);
        return used && strings.containsKey(key); // which is a use
    }

    /**
     * Passes on the keys of some strings that a policy lets go, the first first: the worst of those that it compares.
     *
     * @param cursor where to go on: 0, or what the call before returned
     * @return where to go on; 0 at the end
     */
    public long scanEvictable(long cursor, EvictionPolicy policy, Consumer<? super Bytes> handler) {
        EvictionBatch batch = new EvictionBatch(strings, policy);
        long next = strings.scanKeys(cursor, EvictionBatch.KEYS, batch::add);
        batch.worst().forEach(handler);
        return next;
    }

    /**
     * Evicts a string, and tells of it; returns whether there was one. It does not wait.
     *
     * @throws dev.larder.map.NoRoomYetException if it would have to
     */
    public boolean evict(Bytes key) {
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
