package dev.larder.map;

/**
 * A listener for entries that end by themselves: they have expired, or are evicted. It gets only the key, so that a change need
 * not read the value that it replaces. The thread that finds the entry calls it: a thread that puts or removes its key, or the
 * cleaner. It should be quick, since that thread waits for it. It may read the map, and must not change it. An error that it
 * throws is logged.
 *
 * @param <K> the type of the keys
 */
@FunctionalInterface
public interface LossListener<K> {

    /**
     * Called with the key, and {@link RemovalCause#EXPIRED} or {@link RemovalCause#EVICTED}. After a crash an entry may be
     * reported again.
     */
    void onLoss(K key, RemovalCause cause);
}
