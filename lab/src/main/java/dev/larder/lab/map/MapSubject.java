package dev.larder.lab.map;

import dev.larder.cli.Figures;
import java.nio.file.Path;

/**
 * A map under test: keys of 8 bytes, values of one size. Larder and its rivals stand behind it, each as its documentation
 * recommends.
 *
 * <p>One thread calls {@link #open}, {@link #load}, {@link #loaded}, {@link #sync} and {@link #close}; several at once what lies between.
 * Values are handed over by copying, in both directions.
 */
public interface MapSubject {

    /**
     * Opens what is in a directory, or makes it there.
     *
     * @return the settings that it runs with, in words
     */
    Figures open(Path directory, MapShape shape) throws Exception;

    /** Puts an entry of a key that has none; many of them follow one another. */
    default void load(long key, byte[] value) throws Exception {
        put(key, value);
    }

    /** Ends the load: every entry can be read from here on. */
    default void loaded() throws Exception {}

    /** Makes what was loaded survive the machine, where it can. */
    default void sync() throws Exception {}

    /** Puts an entry; every thread sees it when this returns. The array stays the caller's. */
    void put(long key, byte[] value) throws Exception;

    /** Copies the value of a key into an array of its size; returns false when there is none. */
    boolean get(long key, byte[] into) throws Exception;

    /** Removes an entry; returns false when there was none. */
    boolean remove(long key) throws Exception;

    /** Returns whether it finds what was put; a log only takes it. */
    default boolean isMap() {
        return true;
    }

    /**
     * Returns what its entries take, and what was written again to give space back: {@code live_bytes}, {@code used_bytes},
     * {@code file_bytes}, {@code carried_bytes}; nothing where it does not tell.
     */
    default Figures space() {
        return new Figures();
    }

    /** Returns whether it reads values where they lie. */
    default boolean readsInPlace() {
        return false;
    }

    /** Returns the {@link MapValue#sum} of a value where it lies; 0 when there is none. */
    default long sum(long key) throws Exception {
        throw new UnsupportedOperationException("no value is read where it lies");
    }

    /** Returns whether the entries are there when it is opened again. */
    default boolean isPersistent() {
        return false;
    }

    /** Closes it; its files stay. */
    void close() throws Exception;
}
