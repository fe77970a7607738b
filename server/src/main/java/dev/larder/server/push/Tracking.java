package dev.larder.server.push;

import dev.larder.server.store.Bytes;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The clients that keep copies of keys, and the messages to them when keys change.
 *
 * <pre>
 * read of k by a client      remember(k) -> then the read      so that no change of k between is missed
 * change of k                the store -> changed(k)           sent at once, or with the command's other keys of a prefix
 * end of a command           finish                            what the command has changed is sent behind its reply
 * </pre>
 *
 * <p>A key is forgotten once its change is sent: the client reads it again. Beyond a number of keys, some are sent as changed
 * and forgotten. As in Redis, keys of all databases share one table. Thread-safe. Reads by clients that do not track cost one
 * look at a count, and so do changes while no client tracks.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Tracking {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final long KEYS_MAX = 1_000_000;

    /** How many clients that are gone may stay in the table for a key. */
    private static final int ENDED_MIN = 8;

    private final LongFunction<@Nullable Receiver> clients;
    private final ThreadLocal<Turn> turns = ThreadLocal.withInitial(Turn::new);
    private final Map<Bytes, Set<Tracker>> keys = new ConcurrentHashMap<>();
    private final Map<Bytes, Set<Tracker>> prefixes = new ConcurrentHashMap<>();
    private final Set<Tracker> trackers = ConcurrentHashMap.newKeySet();
    private final AtomicLong items = new AtomicLong();
    private final Object hand = new Object();
    private volatile long keysMax = KEYS_MAX;
    private volatile int used;
    private @Nullable Iterator<Bytes> next;

    /** Creates an empty table. The function finds a client by its number; null if there is none. */
    public Tracking(LongFunction<@Nullable Receiver> clients) {
        this.clients = clients;
    }

    /** Returns whether any client tracks keys. */
    public boolean isUsed() {
        return used > 0;
    }

    /** Returns how many clients track keys. */
    public int clients() {
        return used;
    }

    /** Returns how many keys are tracked. */
    public long keys() {
        return keys.size();
    }

    /** Returns how many pairs of a key and a client are tracked. */
    public long items() {
        return items.get();
    }

    /** Returns how many prefixes are tracked. */
    public long prefixes() {
        return prefixes.size();
    }

    /** Returns the most keys that are tracked; 0 for no bound. */
    public long keysMax() {
        return keysMax;
    }

    /** Sets the most keys that are tracked; 0 for no bound. Clients forget some at once if there are more. */
    public void keysMax(long count) {
        keysMax = count;
        shrink();
    }

    /** Returns the turn of this thread. */
    public Turn turn() {
        return turns.get();
    }

    /** Begins tracking for a client, or changes its settings: the keys that it has read stay tracked. */
    public synchronized void begin(Tracker tracker, Tracker.Settings settings) {
        tracker.begin(settings);
        trackers.add(tracker);
        used = trackers.size();
        for (Bytes prefix : settings.prefixes()) {
            prefixes.compute(prefix, (key, old) -> {
                Set<Tracker> all = old == null ? ConcurrentHashMap.newKeySet() : old;
                all.add(tracker);
                return all;
            });
        }
    }

    /** Ends tracking for a client. Its keys are forgotten as they change. */
    public synchronized void end(Tracker tracker) {
        tracker.end();
        trackers.remove(tracker);
        used = trackers.size();
        for (Bytes prefix : tracker.settings().prefixes()) {
            prefixes.computeIfPresent(prefix, (key, old) -> {
                old.remove(tracker);
                return old.isEmpty() ? null : old;
            });
        }
        if (used == 0) {
            keys.clear();
            items.set(0);
        }
    }

    /** Remembers that a client is about to read a key. */
    public void remember(Tracker tracker, Bytes key) {
        Set<Tracker> already = keys.get(key);
        if (already == null || !already.contains(tracker)) {
            keys.compute(key.copy(), (name, old) -> {
                Set<Tracker> all = old == null ? ConcurrentHashMap.newKeySet() : old;
                if (all.add(tracker)) {
                    items.incrementAndGet();
                }
                forgetEnded(all);
                return all;
            });
            shrink();
        }
    }

    /** Removes clients that are gone, once they outnumber those that are there. */
    private void forgetEnded(Set<Tracker> readers) {
        int count = readers.size();
        if (count > 2 * used + ENDED_MIN && readers.removeIf(Tracker::isEnded)) {
            items.addAndGet(readers.size() - count);
        }
    }

    /** Handles the loss of a key without a client's command: the key has expired, or was evicted. */
    void lost(Bytes key) {
        invalidate(key, Turn.NOBODY);
        for (Map.Entry<Bytes, Set<Tracker>> entry : prefixes.entrySet()) {
            if (Tracker.begins(key, entry.getKey())) {
                broadcast(entry.getValue(), List.of(key), Turn.NOBODY);
            }
        }
    }

    /** Handles the change of a key. */
    void changed(Bytes key) {
        Turn turn = turns.get();
        if (!turn.isOpen()) {
            lost(key);
            return;
        }
        invalidate(key, turn.client());
        for (Map.Entry<Bytes, Set<Tracker>> entry : prefixes.entrySet()) {
            if (Tracker.begins(key, entry.getKey())) {
                turn.add(entry.getKey(), key);
            }
        }
    }

    /** Handles the removal of all keys, or a notice that changes of some keys may be missed. */
    void cleared() {
        Turn turn = turns.get();
        if (turn.isOpen()) {
            turn.clear();
        } else {
            invalidateAll();
        }
    }

    /** Ends a turn: sends what its command has changed. The command's reply is written. */
    public void finish(Turn turn) {
        try {
            if (turn.isCleared()) {
                invalidateAll();
            }
            turn.changed().forEach((prefix, changed) -> {
                Set<Tracker> all = prefixes.get(prefix);
                if (all != null) {
                    broadcast(all, changed, turn.client());
                }
            });
        } finally {
            turn.end(); // else the changes would be sent behind the next command
        }
    }

    private void invalidate(Bytes key, long by) {
        Set<Tracker> readers = keys.remove(key);
        if (readers != null) {
            items.addAndGet(-readers.size());
            broadcast(readers, List.of(key), by);
        }
    }

    private void broadcast(Set<Tracker> to, Collection<Bytes> changed, long by) {
        @Nullable Invalidation direct = null;
        @Nullable Invalidation redirected = null;
        for (Tracker tracker : to) {
            Tracker.Settings settings = tracker.settings();
            if (tracker.isEnded() || (settings.withoutOwn() && tracker.client() == by)) {
                continue;
            }
            if (settings.redirect() == 0) {
                direct = direct == null ? Invalidation.of(changed, false) : direct;
                tell(tracker, tracker.receiver(), direct);
            } else {
                redirected = redirected == null ? Invalidation.of(changed, true) : redirected;
                redirect(tracker, settings.redirect(), redirected);
            }
        }
    }

    private void redirect(Tracker tracker, long client, Invalidation message) {
        Receiver target = clients.apply(client);
        if (target == null) {
            tracker.setBroken();
            tell(tracker, tracker.receiver(), new BrokenRedirect(client));
        } else {
            tell(tracker, target, message);
        }
    }

    /**
     * Sends a message to one client. An error does not fail the command that has made the change, nor the messages to other
     * clients.
     */
    private static void tell(Tracker tracker, Receiver receiver, Push message) {
        try {
            receiver.take(message);
        } catch (RuntimeException e) {
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    "cannot tell client " + tracker.client() + " which keys changed: " + e,
                    e);
        }
    }

    private void invalidateAll() {
        keys.clear();
        items.set(0);
        for (Tracker tracker : trackers) {
            long redirect = tracker.settings().redirect();
            if (redirect == 0) {
                tell(tracker, tracker.receiver(), Invalidation.ofAll(false));
            } else {
                redirect(tracker, redirect, Invalidation.ofAll(true));
            }
        }
    }

    /** Makes clients forget some keys while there are too many. */
    private void shrink() {
        long most = keysMax;
        while (most > 0 && keys.size() > most) {
            Bytes victim = victim();
            if (victim == null) {
                return;
            }
            invalidate(victim, Turn.NOBODY);
        }
    }

    /** Returns the next key of a walk through the table, which begins again at its end. */
    private @Nullable Bytes victim() {
        synchronized (hand) {
            Iterator<Bytes> walk = next;
            if (walk == null || !walk.hasNext()) {
                walk = keys.keySet().iterator();
                next = walk;
            }
            return walk.hasNext() ? walk.next() : null;
        }
    }
}
