package dev.larder.map;

import dev.larder.map.entry.EntryWalk;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keys of a map, as a set. It compares them by their bytes. */
final class KeyView<K, V> extends SetView<K, V, K> {

    KeyView(LarderMap<K, V> map) {
        super(map);
    }

    @Override
    public Iterator<K> iterator() {
        return new KeyIterator<>(map, map.session().walk());
    }

    @Override
    public boolean contains(Object key) {
        return map.containsKey(key);
    }

    @Override
    public boolean remove(Object key) {
        @SuppressWarnings("unchecked") // a codec of another type refuses it
        K own = (K) Objects.requireNonNull(key, "key");
        return map.delete(own);
    }

    @Override
    public boolean retainAll(Collection<?> given) {
        Set<ByteBuffer> wanted =
                given.stream().filter(Objects::nonNull).map(map::keyBytes).collect(Collectors.toSet());
        return removeIf(key -> !wanted.contains(map.keyBytes(key)));
    }

    /** An iterator over the keys; it reads no value. */
    private static final class KeyIterator<K, V> implements Iterator<K> {

        private final LarderMap<K, V> map;
        private final EntryWalk<K, V> walk;
        private boolean ended;
        private @Nullable K next;
        private @Nullable K last;

        KeyIterator(LarderMap<K, V> map, EntryWalk<K, V> walk) {
            this.map = map;
            this.walk = walk;
        }

        @Override
        public boolean hasNext() {
            if (next == null && !ended) {
                next = walk.nextKey();
                ended = next == null;
            }
            return next != null;
        }

        @Override
        public K next() {
            K key = hasNext() ? next : null;
            if (key == null) {
                throw new NoSuchElementException();
            }
            next = null;
            last = key;
            return key;
        }

        @Override
        public void remove() {
            K key = last;
            if (key == null) {
                throw new IllegalStateException("next was not called, or its key was removed already");
            }
            last = null;
            map.delete(key);
        }
    }
}
