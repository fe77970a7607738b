package dev.larder.map;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;

/** The entries of a map, as a set. */
final class EntryView<K, V> extends AbstractSet<Map.Entry<K, V>> {

    private final LarderMap<K, V> map;

    EntryView(LarderMap<K, V> map) {
        this.map = map;
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
        return map.iterator();
    }

    @Override
    public Spliterator<Map.Entry<K, V>> spliterator() {
        int traits = Spliterator.CONCURRENT | Spliterator.DISTINCT | Spliterator.NONNULL;
        return Spliterators.spliteratorUnknownSize(iterator(), traits);
    }

    @Override
    public int size() {
        return map.size();
    }

    @Override
    public boolean contains(Object object) {
        return object instanceof Map.Entry<?, ?> entry
                && entry.getKey() != null
                && entry.getValue() != null
                && map.contains(entry.getKey(), entry.getValue());
    }

    @Override
    public boolean remove(Object object) {
        return object instanceof Map.Entry<?, ?> entry
                && entry.getKey() != null
                && map.remove(entry.getKey(), entry.getValue());
    }

    @Override
    public boolean removeIf(Predicate<? super Map.Entry<K, V>> test) {
        return map.removeEach(test);
    }

    /** Iterates over the given elements, unless they are more than the map's. */
    @Override
    public boolean removeAll(Collection<?> given) {
        return size() > given.size() ? super.removeAll(given) : removeIf(given::contains);
    }

    @Override
    public boolean retainAll(Collection<?> given) {
        return removeIf(entry -> !given.contains(entry));
    }

    @Override
    public void clear() {
        map.clear();
    }
}
