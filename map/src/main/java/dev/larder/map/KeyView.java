package dev.larder.map;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;

/** The keys of a map, as a set. */
final class KeyView<K, V> extends AbstractSet<K> {

    private final LarderMap<K, V> map;

    KeyView(LarderMap<K, V> map) {
        this.map = map;
    }

    @Override
    public Iterator<K> iterator() {
        return new EntryPart<>(map.iterator(), Map.Entry::getKey);
    }

    @Override
    public Spliterator<K> spliterator() {
        int traits = Spliterator.CONCURRENT | Spliterator.DISTINCT | Spliterator.NONNULL;
        return Spliterators.spliteratorUnknownSize(iterator(), traits);
    }

    @Override
    public int size() {
        return map.size();
    }

    @Override
    public boolean contains(Object key) {
        return map.containsKey(key);
    }

    @Override
    public boolean remove(Object key) {
        return map.remove(key) != null;
    }

    @Override
    public void clear() {
        map.clear();
    }
}
