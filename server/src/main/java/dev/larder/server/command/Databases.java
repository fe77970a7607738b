package dev.larder.server.command;

import dev.larder.server.store.Store;

/** The databases of a node, by number. */
public interface Databases {

    /** Returns how many there are. */
    int count();

    /** Returns the store with a number, which must be below {@link #count}. It is opened on its first use. */
    Store store(int index);

    /** Exchanges two databases. */
    void swap(int one, int other);

    /** Removes all keys of all databases. */
    void clearAll();
}
