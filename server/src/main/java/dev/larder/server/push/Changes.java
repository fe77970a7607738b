package dev.larder.server.push;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;

/** Hears of all changes of keys, and passes them on: to subscribers, and to clients that keep copies. Thread-safe. */
public final class Changes implements ChangeListener {

    private final KeyspaceEvents events;
    private final Tracking tracking;

    /** Changes that are told as events, and to clients that track keys. */
    public Changes(KeyspaceEvents events, Tracking tracking) {
        this.events = events;
        this.tracking = tracking;
    }

    @Override
    public boolean hears(KeyEvent event) {
        return events.tells(event);
    }

    @Override
    public void onEvent(Store store, Bytes key, KeyEvent event) {
        if (event.isChange() && tracking.isUsed()) {
            if (event == KeyEvent.EXPIRED || event == KeyEvent.EVICTED) {
                tracking.lost(key);
            } else {
                tracking.changed(key);
            }
        }
        events.tell(store.index(), key, event);
    }

    @Override
    public void onClear(Store store) {
        if (tracking.isUsed()) {
            tracking.cleared();
        }
    }
}
