package dev.larder.server.push;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says that keys have expired, soon after they have. A store drops such keys when it comes across them, so somebody who
 * waits for the event would wait for long. Only keys that changed while somebody listened are watched, and a bounded number.
 * Thread-safe.
 */
final class ExpiryWatch {

    private static final int KEYS_MAX = 1 << 20;

    /** After these there is no key, although it has not expired. */
    private static final Set<KeyEvent> REMOVALS =
            EnumSet.of(KeyEvent.DEL, KeyEvent.RENAME_FROM, KeyEvent.MOVE_FROM, KeyEvent.EXPIRED, KeyEvent.EVICTED);

    /** A key of a store. */
    private record Key(Store store, Bytes name) {}

    /** When a key is to be looked at. */
    private record Due(long millis, Key key) {}

    private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::millis));

    /** When each key is looked at next. A {@link Due} of another time is out of date. */
    private final Map<Key, Long> next = new HashMap<>();

    ExpiryWatch() {}

    /** Takes a change of a key, which may have expired already since it was made. */
    void changed(Store store, Bytes name, KeyEvent event) {
        long deadline = store.deadline(name);
        if (deadline >= 0) {
            watch(new Key(store, name.copy()), deadline);
        } else if (deadline == Store.NO_KEY && !REMOVALS.contains(event)) {
            watch(new Key(store, name.copy()), 0);
        } else {
            forget(store, name);
        }
    }

    private synchronized void forget(Store store, Bytes name) {
        if (!next.isEmpty()) {
            next.remove(new Key(store, name));
        }
    }

    /** A key that expires later than it is looked at is put off then. */
    private synchronized void watch(Key key, long deadline) {
        @Nullable Long planned = next.get(key);
        if (planned == null ? next.size() < KEYS_MAX : planned > deadline) {
            next.put(key, deadline);
            queue.add(new Due(deadline, key));
        }
    }

    /** Forgets the keys of a store. */
    synchronized void clear(Store store) {
        next.keySet().removeIf(key -> key.store.equals(store));
        queue.removeIf(due -> due.key.store.equals(store));
    }

    /** Says which keys have expired by now. */
    void tick() {
        for (Key key : takeDue()) {
            long deadline = key.store.deadline(key.name);
            if (deadline == Store.NO_KEY) {
                key.store.tell(key.name, KeyEvent.EXPIRED);
            } else if (deadline != Store.ENDLESS) {
                watch(key, deadline);
            }
        }
    }

    private synchronized List<Key> takeDue() {
        List<Key> due = new ArrayList<>();
        for (@Nullable Due first = queue.peek(); first != null && isDue(first); first = queue.peek()) {
            queue.remove();
            if (next.remove(first.key, first.millis)) {
                due.add(first.key);
            }
        }
        return due;
    }

    private static boolean isDue(Due due) {
        return due.millis < due.key.store.nowMillis();
    }
}
