package dev.larder.lab.heap;

import java.nio.file.Path;

/**
 * Keeps one {@link Value} for each key from 0 on. Called by several threads at once.
 *
 * <p>Values are copied in both directions: a service that serialises and deserialises its values does no less.
 */
public interface ValueStore {

    /** Creates a store for at most so many keys, with any files in a folder. */
    @FunctionalInterface
    interface Maker {

        /** Returns a new store. */
        ValueStore make(long keys, Path folder);
    }

    /** Replaces the value of a key by the beginning of an array, which stays the caller's. */
    void put(long key, byte[] bytes);

    /** Copies the value of a key to the beginning of an array; returns false if there is none. */
    boolean get(long key, byte[] into);

    /** Returns its memory that its process does not map: files without a disk. */
    default long unmappedBytes() {
        return 0;
    }
}
