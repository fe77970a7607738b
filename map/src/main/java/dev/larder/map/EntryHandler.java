package dev.larder.map;

import java.lang.foreign.MemorySegment;

/**
 * Takes the value of a key where it lies.
 *
 * @param <K> the keys
 */
@FunctionalInterface
public interface EntryHandler<K> {

    /**
     * Reads a value: {@code length} bytes from {@code offset} on. The segment is read-only and holds more than the
     * value; its bytes are valid during the call only.
     *
     * @param key as it was asked for
     */
    void onEntry(K key, MemorySegment segment, long offset, int length);
}
