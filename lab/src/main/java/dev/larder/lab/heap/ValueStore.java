package dev.larder.lab.heap;

import java.nio.file.Path;

/**
 * Keeps one {@link Value} for each key from 0 on. Called by several threads at once.
 *
 * <p>Values are handed over by copying, in both directions: a service that serialises what it puts, and deserialises what
 * it gets, does no less.
 */
public interface ValueStore {

    /** Makes a store for so many keys at most; one that has files has them in a folder. */
    @FunctionalInterface
    interface Maker {

        /** Returns a new store. */
        ValueStore make(long keys, Path folder);
    }

    /** Replaces the value of a key by the one at the beginning of an array, which stays the caller's. */
    void put(long key, byte[] bytes);

    /** Copies the value of a key to the beginning of an array; returns false when there is none. */
    boolean get(long key, byte[] into);

    /** Returns the memory that it takes, and that is not mapped by its process: of files without a disk. */
    default long unmappedBytes() {
        return 0;
    }
}
