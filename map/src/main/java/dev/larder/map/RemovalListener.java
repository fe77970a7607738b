package dev.larder.map;

/**
 * Is told of entries that go: by the thread that removed or replaced one, before its call returns, or by the one that
 * cleans. It should be quick, as that thread waits for it; it may read the map, and not change it. What it throws is logged.
 *
 * @param <K> the keys
 * @param <V> the values
 */
@FunctionalInterface
public interface RemovalListener<K, V> {

    /** Takes an entry as it was, and why it went. After a crash an entry may be told once more. */
    void onRemoval(K key, V value, RemovalCause cause);
}
