package dev.larder.map;

import dev.larder.log.RecordHandler;
import dev.larder.map.entry.AccessTracker;
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
 * What a map held at one moment, whatever is changed since: entries as they were, of all threads and processes. Whoever
 * finds a change here finds all that had returned before that change began.
 *
 * <p>It takes 14 to 16 bytes of memory an entry, and the time to copy them: not a constant. While it is open the records
 * that it leads to stay on the disk, so what is overwritten meanwhile is not given back: close it. What had not expired
 * at its moment does not expire in it. Any number of threads may use it.
 *
 * @param <K> the keys
 * @param <V> the values
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
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
        this.lookups = new Reads<>(parts, desks, AccessTracker.unnoted(parts, desks));
        this.closing = closing;
    }

    /** Returns the value of a key at that moment; null where it had none. */
    public @Nullable V get(K key) {
        return lookups.get(key);
    }

    /** Returns whether a key had a value. */
    public boolean containsKey(K key) {
        return lookups.contains(key);
    }

    /** Returns when the entry of a key was to expire; empty where it was not to, or there was none. */
    public Optional<Instant> expiry(K key) {
        return lookups.expiry(key);
    }

    /** Hands the value of a key to a handler where it lies; returns false where it had none. Valid during the call only. */
    public boolean read(K key, RecordHandler handler) {
        return lookups.read(key, handler);
    }

    /** Returns how many entries there were, and of those that had expired by then what the cleaner had not come to. */
    public long longSize() {
        desks.checkOpen();
        return parts.index().count();
    }

    /** Returns when it was taken, by the system's clock. */
    public Instant instant() {
        return instant;
    }

    /** Goes over all entries, each once, in no order. */
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
     * Gives its memory back, and lets go of the records; closing the map does so, too. Other threads get a
     * ClosedException then.
     */
    @Override
    public void close() {
        if (desks.close()) {
            closing.accept(this);
        }
    }
}
