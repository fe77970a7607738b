package dev.larder.map;

import dev.larder.log.Log;
import dev.larder.map.entry.BulkLoad;
import dev.larder.memory.DiskFullException;
import java.lang.ref.Reference;
import java.time.Duration;
import java.time.Instant;

/**
 * A loader that puts many entries. It stages them in memory, appends them to the log together, and links them in groups
 * whose cache misses overlap.
 *
 * <pre>
 * put             flush
 * stage      ->   claim one run, write it by one call, commit  ->  link each
 *                 pinned: no appended record is dropped before it is linked
 * </pre>
 *
 * <p>An entry is visible, and survives the process, after it was flushed: every 256 KiB, at {@link #flush} and at
 * {@link #close}. Entries that are not flushed are lost when the map is closed. Each entry is put by itself, as by
 * {@link LarderMap#set}, into an empty map or into one that other threads read and change. If a key comes several
 * times, its last value counts.
 *
 * <p>After a crash, each entry of an unfinished flush is present or not. It may become present a moment later, if other
 * processes have the map open, even after one of them has found nothing to remove. After an error, the next flush puts
 * the missing entries. If the loader is closed instead, each entry of that flush is present, or not, or becomes present.
 * The closing throws an error unless it put them all.
 *
 * <p>A loader is used by one thread at a time. A codec or a listener cannot use the loader that has called it. Several loaders
 * may work at the same time. Close a loader: one that is garbage collected instead loses the entries that it has not flushed,
 * and its memory is freed some time later.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class MapLoader<K, V> implements AutoCloseable {

    private final BulkLoad<K, V> load;

    /** Creates a loader; its memory is freed after it was garbage collected unclosed. */
    MapLoader(BulkLoad<K, V> load, Log log) {
        this.load = load;
        log.closeWhenCollected(this, load::abandon);
    }

    /**
     * Puts an entry with the next flush. An entry longer than the staging area is put at once, in its order.
     *
     * @throws dev.larder.log.RecordTooLargeException if it is longer than a record may be; earlier entries stay
     * @throws DiskFullException if there is no room for earlier entries. They stay staged, and can be flushed when
     *     there is room
     * @throws dev.larder.memory.ClosedException if the loader was closed
     */
    public void put(K key, V value) {
        try {
            load.put(key, value);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Puts an entry that expires at an instant, to the millisecond, as {@link LarderMap#set(Object, Object, Instant)}
     * does; otherwise like {@link #put(Object, Object)}.
     *
     * @throws IllegalArgumentException if the instant is not within 17 years of now
     */
    public void put(K key, V value, Instant expiry) {
        try {
            load.put(key, value, expiry);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Puts an entry that expires as {@link LarderMap#set(Object, Object, Duration)} says; otherwise like
     * {@link #put(Object, Object)}. Its lifetime begins with this call, not with the flush.
     *
     * @param lifetime from now on, from 1 ms to 17 years, in place of the map's {@link Lifetime}
     */
    public void put(K key, V value, Duration lifetime) {
        try {
            load.put(key, value, lifetime);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Puts the staged entries. When this returns, all threads see them, and they survive the process.
     *
     * @throws DiskFullException if there is no room for them; entries that were not put stay staged
     * @throws dev.larder.memory.ClosedException if the loader was closed
     */
    public void flush() {
        try {
            load.flush();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Flushes, and frees the staging memory. Entries that cannot be flushed are given up. Those already in the log are
     * tried one more time, and then left to the cleaner. A further call does nothing.
     *
     * @throws DiskFullException if there is no room: entries staged since the last flush are then not in the map, and a further
     *     call does not put them. To try again, call {@link #flush} before this method
     * @throws NoRoomYetException within {@link LarderMap#withoutWaiting}, if the call would have to wait. The loader then stays
     *     open with its entries: close it again where the thread may wait
     */
    @Override
    public void close() {
        try {
            load.close();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Frees the staging memory, and gives up the entries that were not flushed. */
    void abandon() {
        load.abandon();
    }
}
