package dev.larder.map;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The entries of a map, as a set. It compares them by their bytes. */
final class EntryView<K, V> extends SetView<K, V, Map.Entry<K, V>> {

    EntryView(LarderMap<K, V> map) {
        super(map);
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
        return map.iterator();
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

    @Override
    public boolean retainAll(Collection<?> given) {
        Set<List<ByteBuffer>> wanted = new HashSet<>();
        for (Object object : given) {
            if (object instanceof Map.Entry<?, ?> entry && entry.getKey() != null && entry.getValue() != null) {
                wanted.add(bytes(entry));
            }
        }
        return removeIf(entry -> !wanted.contains(bytes(entry)));
    }

    private List<ByteBuffer> bytes(Map.Entry<?, ?> entry) {
        return List.of(map.keyBytes(entry.getKey()), map.valueBytes(entry.getValue()));
    }
}
