package dev.larder.server.local;

import dev.larder.server.command.Database.KeyWatch;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that clients watch, each with the number of its changes. A key is listed while it is watched. A change costs a
 * lookup while any key is watched.
 *
 * <p>A key that expires or is evicted is not touched: its watcher sees that it is gone, and a key that had expired before is
 * no change. Thread-safe: a thread that watches or changes a key holds its slot.
 */
final class WatchedKeys implements ChangeListener {

    /** A key of a database. Its order keeps the table fast when a client makes keys collide. */
    private record Place(int database, Bytes key) implements Comparable<Place> {
        @Override
        public int compareTo(Place that) {
            int order = Integer.compare(database, that.database);
            return order != 0 ? order : key.compareTo(that.key);
        }
    }

    /** How many watches a key has, and how often it was changed. */
    private static final class Count {
        private int watches;
        private volatile long changes;
    }

    private final Map<Place, Count> places = new ConcurrentHashMap<>();

    /** Watches a key until the watch is closed. The caller holds its slot. */
    KeyWatch watch(int database, Bytes key) {
        Place place = new Place(database, key.copy());
        Count count = places.compute(place, (any, there) -> {
            Count kept = there == null ? new Count() : there;
            kept.watches++;
            return kept;
        });
        return new Watch(place, count);
    }

    @Override
    public void onEvent(Store store, Bytes key, KeyEvent event) {
        if (!places.isEmpty() && isWatched(event)) {
            touch(new Place(store.index(), key));
        }
    }

    private static boolean isWatched(KeyEvent event) {
        return event.isChangeOfValue() && event != KeyEvent.EXPIRED && event != KeyEvent.EVICTED;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // a thread that changes a key holds its slot
    private void touch(Place place) {
        Count count = places.get(place);
        if (count != null) {
            count.changes++;
        }
    }

    /** Touches the watched keys that exist in the store now, in place of what its database held before. */
    @Override
    public void onClear(Store store) {
        places.keySet().stream()
                .filter(place -> place.database() == store.index() && store.exists(place.key()))
                .forEach(this::touch);
    }

    /** Returns how many keys are watched. */
    int count() {
        return places.size();
    }

    private final class Watch implements KeyWatch {

        private final Place place;
        private final Count count;
        private final long changes;
        private boolean closed;

        Watch(Place place, Count count) {
            this.place = place;
            this.count = count;
            this.changes = count.changes;
        }

        @Override
        public boolean isTouched() {
            return count.changes != changes;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                places.computeIfPresent(place, (any, there) -> --there.watches == 0 ? null : there);
            }
        }
    }
}
