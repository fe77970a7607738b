package dev.larder.map;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;

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
    public boolean removeIf(Predicate<? super V> test) {
        return map.removeEach(entry -> test.test(entry.getValue()));
    }

    @Override
    public boolean remove(Object value) {
        for (Map.Entry<K, V> entry : map.entrySet()) {
            if (entry.getValue().equals(value) && map.remove(entry.getKey(), entry.getValue())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean removeAll(Collection<?> given) {
        return removeIf(given::contains);
    }

    @Override
    public boolean retainAll(Collection<?> given) {
        return removeIf(value -> !given.contains(value));
    }

    @Override
    public void clear() {
        map.clear();
    }
}
