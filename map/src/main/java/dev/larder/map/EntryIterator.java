package dev.larder.map;

import dev.larder.map.entry.EntryWalk;
import java.util.AbstractMap.SimpleEntry;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over all entries, page by page of the index. A change to a page after the iterator has passed it may not
 * be seen. After its map was closed, an iterator can still read while another opening is there. {@link #remove}, and {@code
 * setValue} of its entries, throw a {@link dev.larder.memory.ClosedException}.
 */
final class EntryIterator<K, V> implements Iterator<Map.Entry<K, V>> {

    private final LarderMap<K, V> map;
    private final EntryWalk<K, V> walk;
    private boolean ended;
    private Map.@Nullable Entry<K, V> next;
    private @Nullable K last;

    EntryIterator(LarderMap<K, V> map, EntryWalk<K, V> walk) {
        this.map = map;
        this.walk = walk;
    }

    @Override
    public boolean hasNext() {
        if (next == null && !ended) {
            next = walk.next();
            ended = next == null;
        }
        return next != null;
    }

    @Override
    public Map.Entry<K, V> next() {
        Map.Entry<K, V> entry = hasNext() ? next : null;
        if (entry == null) {
            throw new NoSuchElementException();
        }
        next = null;
        last = entry.getKey();
        return new WriteThroughEntry<>(map, entry);
    }

    @Override
    public void remove() {
        K key = last;
        if (key == null) {
            throw new IllegalStateException("next was not called, or its entry was removed already");
        }
        last = null;
        map.delete(key);
    }

    /** An entry as it was found; a new value is also put into the map. */
    private static final class WriteThroughEntry<K, V> extends SimpleEntry<K, V> {

        private static final long serialVersionUID = 1L;

        private final transient LarderMap<K, V> map;

        WriteThroughEntry(LarderMap<K, V> map, Map.Entry<K, V> found) {
            super(found);
            this.map = map;
        }

        @Override
        public V setValue(V value) {
            map.set(getKey(), value);
            return super.setValue(value);
        }
    }
}
