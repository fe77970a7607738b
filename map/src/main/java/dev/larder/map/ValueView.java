package dev.larder.map;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;

/** The values of a map, as a collection. */
final class ValueView<K, V> extends AbstractCollection<V> {

    private final LarderMap<K, V> map;

    ValueView(LarderMap<K, V> map) {
        this.map = map;
    }

    @Override
    public Iterator<V> iterator() {
        return new EntryPart<>(map.iterator(), Map.Entry::getValue);
    }

    @Override
    public Spliterator<V> spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.CONCURRENT | Spliterator.NONNULL);
    }

    @Override
    public int size() {
        return map.size();
    }

    @Override
    public void clear() {
        map.clear();
    }
}
