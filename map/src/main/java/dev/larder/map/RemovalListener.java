package dev.larder.map;

/**
 * A listener for removed entries. The thread that removed or replaced an entry calls it before its own call returns;
 * the cleaner calls it for entries that it removes. It should be quick, since that thread waits for it. It may read the
 * map, and must not change it. An error that it throws is logged.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface RemovalListener<K, V> {

    /** Called with the removed entry and the cause. After a crash an entry may be reported again. */
    void onRemoval(K key, V value, RemovalCause cause);
}
