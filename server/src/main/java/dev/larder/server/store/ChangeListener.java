package dev.larder.server.store;

/** Hears of every event of a store's keys, in the thread that causes it and while that holds the key's slot. */
@FunctionalInterface
public interface ChangeListener {

    /** Takes an event. The key is valid during the call. */
    void onEvent(Store store, Bytes key, KeyEvent event);

    /** Returns whether an event that costs a look-up has anybody who hears of it. */
    default boolean hears(KeyEvent event) {
        return false;
    }

    /** Takes the removal of all keys of a store. */
    default void onClear(Store store) {}

    /** Hears that the store may miss changes of its keys from now on: they are made elsewhere. */
    default void onUnheard() {}
}
