package dev.larder.map;

import java.nio.ByteBuffer;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The values of a map, as a collection. It compares them by their bytes. */
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
    public boolean isEmpty() {
        return map.isEmpty();
    }

    @Override
    public boolean removeIf(Predicate<? super V> test) {
        return map.removeEach(entry -> test.test(entry.getValue()));
    }

    @Override
    public boolean contains(Object value) {
        return map.containsValue(value);
    }

    @Override
    public boolean remove(Object value) {
        Objects.requireNonNull(value, "value");
        for (K key : map.keySet()) {
            if (map.contains(key, value) && map.remove(key, value)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean removeAll(Collection<?> given) {
        Set<ByteBuffer> unwanted = bytes(given);
        return removeIf(value -> unwanted.contains(map.valueBytes(value)));
    }

    @Override
    public boolean retainAll(Collection<?> given) {
        Set<ByteBuffer> wanted = bytes(given);
        return removeIf(value -> !wanted.contains(map.valueBytes(value)));
    }

    /** Returns the bytes of the given values; no value is equal to null. */
    private Set<ByteBuffer> bytes(Collection<?> given) {
        return given.stream().filter(Objects::nonNull).map(map::valueBytes).collect(Collectors.toSet());
    }

    @Override
    public void clear() {
        map.clear();
    }
}
