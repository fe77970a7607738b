package dev.larder.lab.map;

import dev.larder.cli.Figures;
import java.nio.file.Path;

/**
 * A map under test: keys of 8 bytes, values of one size. Larder and its rivals implement it, each as its documentation
 * recommends.
 *
 * <p>One thread calls {@link #open}, {@link #load}, {@link #loaded}, {@link #sync} and {@link #close}; several threads call the
 * rest between. Values are copied in both directions.
 */
public interface MapSubject {

    /**
     * Opens or creates it in a directory.
     *
     * @return its settings, in words
     */
    Figures open(Path directory, MapShape shape) throws Exception;

    /** Puts an entry of a new key, one of many in a row. */
    default void load(long key, byte[] value) throws Exception {
        put(key, value);
    }

    /** Ends the load: from here on every entry can be read. */
    default void loaded() throws Exception {}

    /** Makes the load survive the machine's failure, if it can. */
    default void sync() throws Exception {}

    /** Puts an entry; every thread sees it when this returns. The array stays the caller's. */
    void put(long key, byte[] value) throws Exception;

    /** Copies the value of a key into an array of its size; returns false if there is none. */
    boolean get(long key, byte[] into) throws Exception;

    /** Removes an entry; returns false if there was none. */
    boolean remove(long key) throws Exception;

    /** Returns whether it finds entries; a log does not. */
    default boolean isMap() {
        return true;
    }

    /**
     * Returns the bytes of its entries, and the bytes rewritten to reclaim space: {@code live_bytes}, {@code used_bytes},
     * {@code file_bytes}, {@code carried_bytes}; nothing if unknown.
     */
    default Figures space() {
        return new Figures();
    }

    /** Returns whether it reads values in place. */
    default boolean readsInPlace() {
        return false;
    }

    /** Returns the {@link MapValue#sum} of a value in place; 0 if there is none. */
    default long sum(long key) throws Exception {
        throw new UnsupportedOperationException("no value is read where it lies");
    }

    /** Returns whether the entries survive a reopening. */
    default boolean isPersistent() {
        return false;
    }

    /** Closes it; its files stay. */
    void close() throws Exception;
}
