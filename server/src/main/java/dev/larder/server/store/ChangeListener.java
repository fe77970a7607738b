package dev.larder.server.store;

/** A listener for the events of a store's keys. The thread that causes an event calls it, and holds the key's slot meanwhile. */
@FunctionalInterface
public interface ChangeListener {

    /** Handles an event. The key is valid only during the call. */
    void onEvent(Store store, Bytes key, KeyEvent event);

    /** Returns whether this listener needs an event whose detection costs a lookup. */
    default boolean hears(KeyEvent event) {
        return false;
    }

    /** Handles the removal of all keys of a store. */
    default void onClear(Store store) {}

    /** Handles the notice that the store may miss changes of its keys from now on, because they are made elsewhere. */
    default void onUnheard() {}
}
