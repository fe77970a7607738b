package dev.larder.server.push;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import java.util.concurrent.atomic.LongAdder;

/** A listener for all changes of keys. It passes them on to subscribers, and to clients that keep copies. Thread-safe. */
public final class Changes implements ChangeListener {

    private final KeyspaceEvents events;
    private final Tracking tracking;
    private final LongAdder count = new LongAdder();

    /** Creates a listener that passes changes on to subscribers, and to clients that track keys. */
    public Changes(KeyspaceEvents events, Tracking tracking) {
        this.events = events;
        this.tracking = tracking;
    }

    @Override
    public boolean hears(KeyEvent event) {
        return events.tells(event);
    }

    /** Returns how many changes commands have made. */
    public long count() {
        return count.sum();
    }

    @Override
    public void onEvent(Store store, Bytes key, KeyEvent event) {
        if (event.isChange()) {
            boolean lost = event == KeyEvent.EXPIRED || event == KeyEvent.EVICTED;
            if (!lost) {
                count.increment();
            }
            if (event.isChangeOfValue() && tracking.isUsed()) {
                tell(key, lost);
            }
        }
        events.tell(store.index(), key, event);
    }

    private void tell(Bytes key, boolean lost) {
        if (lost) {
            tracking.lost(key);
        } else {
            tracking.changed(key);
        }
    }

    @Override
    public void onUnheard() {
        if (tracking.isUsed()) {
            tracking.cleared();
        }
    }

    @Override
    public void onClear(Store store) {
        count.increment();
        if (tracking.isUsed()) {
            tracking.cleared();
        }
    }
}
