package dev.larder.map;

import java.lang.foreign.MemorySegment;

/**
 * A handler that reads the encoded value of a key in place, in the mapped file.
 *
 * @param <K> the type of the keys
 */
@FunctionalInterface
public interface EntryHandler<K> {

    /**
     * Reads a value: {@code length} bytes from {@code offset} on. The segment is read-only and holds more than the
     * value. The bytes are valid during the call only.
     *
     * @param key the key as the caller gave it
     */
    void onEntry(K key, MemorySegment segment, long offset, int length);
}
