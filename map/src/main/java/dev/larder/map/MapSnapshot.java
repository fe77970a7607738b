package dev.larder.map;

import dev.larder.log.RecordHandler;
import dev.larder.map.entry.EntryWalk;
import dev.larder.map.entry.MapParts;
import dev.larder.map.entry.Reads;
import dev.larder.map.entry.ThreadStates;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a map: its entries at one moment, by all threads and processes, whatever changes later. If a snapshot
 * contains a change, it contains every change that had returned before that one started.
 *
 * <p>A snapshot takes 14 to 16 bytes of memory for each entry, and the time to copy them, which is not constant. While
 * it is open, its records stay on the disk, and the space of overwritten ones is not given back. So close it. An entry
 * that had not expired at its moment does not expire in it. Any number of threads may use it.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@SuppressWarnings("exports") // users of this class need no nullness annotations
public final class MapSnapshot<K, V> implements Iterable<Map.Entry<K, V>>, AutoCloseable {

    private final MapParts parts;
    private final Instant instant;
    private final ThreadStates<K, V> desks;
    private final Reads<K, V> lookups;
    private final Consumer<MapSnapshot<K, V>> closing;

    MapSnapshot(MapParts parts, Instant instant, ThreadStates<K, V> desks, Consumer<MapSnapshot<K, V>> closing) {
        this.parts = parts;
        this.instant = instant;
        this.desks = desks;
        this.lookups = Reads.ofSnapshot(parts, desks);
        this.closing = closing;
    }

    /** Returns the value of a key at that moment; null if it had none. */
    public @Nullable V get(K key) {
        return lookups.get(key);
    }

    /** Returns whether a key had a value at that moment. */
    public boolean containsKey(K key) {
        return lookups.contains(key);
    }

    /** Returns when the entry of a key was to expire; empty if it was not to expire, or there was none. */
    public Optional<Instant> expiry(K key) {
        return lookups.expiry(key);
    }

    /**
     * Passes the encoded value of a key to a handler, in place; returns false if it had none. The bytes are valid
     * during the call only.
     */
    public boolean read(K key, RecordHandler handler) {
        return lookups.read(key, handler);
    }

    /** Returns the number of entries, with the expired ones that the cleaner had not reached. */
    public long longSize() {
        desks.checkOpen();
        return parts.index().count();
    }

    /** Returns the moment of the snapshot, by the map's clock. */
    public Instant instant() {
        return instant;
    }

    /** Returns an iterator over all entries, each once, in no order. */
    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
        desks.checkOpen();
        EntryWalk<K, V> walk = new EntryWalk<>(parts, desks, lookups);
        return new Iterator<>() {
            private Map.@Nullable Entry<K, V> next = walk.next();

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public Map.Entry<K, V> next() {
                if (next == null) {
                    throw new NoSuchElementException();
                }
                Map.Entry<K, V> found = Objects.requireNonNull(next);
                next = walk.next();
                return found;
            }
        };
    }

    /**
     * Frees its memory and releases the records. Closing the map does so, too. Other threads then get a
     * {@link dev.larder.memory.ClosedException}.
     */
    @Override
    public void close() {
        if (desks.close()) {
            closing.accept(this);
        }
    }
}
